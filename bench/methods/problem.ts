import { groupRollouts, type RolloutsFile } from '../replay/rollouts.ts';

/** One problem at one round, with what each agent sampled. */
export interface Problem {
  readonly promptId: string;
  readonly round: number;
  readonly gold: string;
  /** Completions by agent, in the order of {@link Source.agents}. */
  readonly completions: readonly (readonly string[])[];
}

export interface Source {
  /** At least three, for the discussions. */
  readonly agents: readonly [string, string, string];
  /** Completions per agent and problem: at least {@link TURNS} times 2. */
  readonly k: number;
  /** How answers are read. */
  readonly mode: string;
  readonly problems: readonly Problem[];
}

/** Turns of a conversation of MAPoRL. */
export const TURNS = 3;

/** The first three agents of a rollouts file. Throws when it has fewer, or too few completions for a conversation. */
export function sourceOf({ rollouts, agents, k }: RolloutsFile, mode: string): Source {
  const [one, two, three] = agents;
  if (one === undefined || two === undefined || three === undefined) {
    throw new Error(`A discussion takes three agents, and the file has ${agents.length}.`);
  }
  if (k < 2 * TURNS)
    throw new Error(`Two conversations take ${2 * TURNS} completions per agent; there are ${k}.`);
  const problems = new Map<
    string,
    { promptId: string; round: number; gold: string; completions: string[][] }
  >();
  for (const group of groupRollouts(rollouts).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { promptId, round, gold, agent } = first;
    const name = `${promptId}|${round}`;
    const problem = problems.get(name) ?? { promptId, round, gold, completions: [] };
    const sorted = [...group].sort((a, b) => a.index - b.index);
    problem.completions[agents.indexOf(agent)] = sorted.map(({ completion }) => completion);
    problems.set(name, problem);
  }
  return { agents: [one, two, three], k, mode, problems: [...problems.values()] };
}
