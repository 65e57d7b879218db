import { readFileSync } from 'node:fs';
import { z } from 'zod';

const lineSchema = z.object({
  prompt_id: z.string().min(1),
  agent: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be a name of 1 to 64 letters, digits, . _ -'),
  round: z.int().min(0),
  k: z.int().min(0),
  prompt: z.string(),
  gold: z.string(),
  completion: z.string(),
});

/** One line of a rollouts file. */
export interface Rollout {
  /** Names the rollout in the whole file. */
  readonly name: string;
  readonly promptId: string;
  readonly agent: string;
  readonly round: number;
  /** Place in its group, from 0. */
  readonly index: number;
  readonly prompt: string;
  readonly gold: string;
  readonly completion: string;
}

export interface RolloutsFile {
  readonly rollouts: readonly Rollout[];
  /** In order of appearance: the order of the ring. */
  readonly agents: readonly string[];
  /** Rollouts per group, the same for every agent. */
  readonly k: number;
}

/** Names one agent's group for one (prompt, round). */
export function groupName({ agent, promptId, round }: Pick<Rollout, 'agent' | 'promptId' | 'round'>): string {
  return `${agent}|${promptId}|${round}`;
}

/**
 * Reads a rollouts file, JSON Lines of prompt_id, agent, round, k, prompt, gold, completion. Throws when a line
 * is not one, or a group is not whole: the server would wait for the rest.
 */
export function readRollouts(path: string): RolloutsFile {
  const rollouts = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [readLine(line, `${path}:${at + 1}`)]));
  const agents = [...new Set(rollouts.map(({ agent }) => agent))];
  if (agents.length < 2) throw new Error(`${path}: a ring needs rollouts of at least two agents.`);
  return { rollouts, agents, k: checkGroups(path, rollouts, agents) };
}

/** Rollouts by group name; the order of both is kept. */
export function groupRollouts(rollouts: readonly Rollout[]): Map<string, Rollout[]> {
  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    const name = groupName(rollout);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [rollout]);
    else group.push(rollout);
  }
  return groups;
}

function readLine(line: string, place: string): Rollout {
  const parsed = lineSchema.safeParse(JSON.parse(line));
  if (!parsed.success) throw new Error(`${place}: ${z.prettifyError(parsed.error)}`);
  const { prompt_id: promptId, agent, round, k: index, prompt, gold, completion } = parsed.data;
  const name = `${groupName({ agent, promptId, round })}|${index}`;
  return { name, promptId, agent, round, index, prompt, gold, completion };
}

function checkGroups(path: string, rollouts: readonly Rollout[], agents: readonly string[]): number {
  const groups = groupRollouts(rollouts);
  const k = Math.max(...rollouts.map(({ index }) => index)) + 1;
  for (const [name, group] of groups) {
    const indices = new Set(group.map(({ index }) => index));
    if (group.length !== k || indices.size !== k)
      throw new Error(`${path}: group ${name} does not have each k from 0 to ${k - 1} once.`);
  }
  for (const { promptId, round } of rollouts) {
    const missing = agents.find((agent) => !groups.has(groupName({ agent, promptId, round })));
    if (missing === undefined) continue;
    throw new Error(`${path}: ${missing} has no rollouts for prompt ${promptId}, round ${round}.`);
  }
  return k;
}
