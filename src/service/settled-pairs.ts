import { type Bucket, isDecided } from '../domain/bucket.ts';
import type { AgentName } from '../domain/cohort.ts';
import { waitsIn } from '../methods/relations.ts';

/** What has just happened in a bucket. */
export interface Happened {
  /** Agents whose groups were decided. */
  readonly decided: ReadonlySet<AgentName>;
  /** The agent whose first rollouts came; null: nobody's. */
  readonly begun: AgentName | null;
}

/**
 * The pairs of agents whose votes are both final since what has just happened, each in the order of the cohort; a pair is in
 * the answer to one event only. A vote is final once it is decided and somebody is scored against it, or can be no more: until
 * then a restart of its trainer puts another one in its place.
 */
export function settledPairs(
  bucket: Bucket,
  happened: Happened,
): readonly (readonly [AgentName, AgentName])[] {
  const { settings, groups } = bucket;
  const names = settings.agents.map(({ name }) => name).filter((name) => isDecided(groups.get(name)));
  if (names.length < 2) return [];
  const students = studentsIn(bucket);
  const now = (name: AgentName) => isFinal(bucket, students, name, { decided: new Set(), begun: null });
  const before = (name: AgentName) => isFinal(bucket, students, name, happened);
  const final = names.filter(now);
  const fresh = new Set(final.filter((name) => !before(name)));
  if (fresh.size === 0) return [];
  return final.flatMap((first, at) =>
    final
      .slice(at + 1)
      .filter((second) => fresh.has(first) || fresh.has(second))
      .map((second) => [first, second] as const),
  );
}

/** `undone`: as if that had not happened. */
function isFinal(
  { groups, settings }: Bucket,
  students: ReadonlyMap<AgentName, readonly AgentName[]>,
  agent: AgentName,
  undone: Happened,
): boolean {
  const decided = (name: AgentName) => isDecided(groups.get(name)) && !undone.decided.has(name);
  const hasSent = (name: AgentName) => (groups.get(name)?.rollouts.length ?? 0) > 0 && undone.begun !== name;
  if (!decided(agent)) return false;
  // What it is scored against under `last-label` was fixed with its first rollout, and with it what scores it.
  if (settings.barrier.mode === 'last-label') return true;
  const own = students.get(agent) ?? [];
  return own.length === 0 || own.some(hasSent) || own.every(decided);
}

/** Who is scored against each agent. */
function studentsIn(bucket: Bucket): ReadonlyMap<AgentName, readonly AgentName[]> {
  const { settings: cohort } = bucket;
  const students = new Map<AgentName, AgentName[]>(cohort.agents.map(({ name }) => [name, []]));
  for (const agent of cohort.agents) {
    for (const teacher of waitsIn(bucket, { cohort, agent })) students.get(teacher)?.push(agent.name);
  }
  return students;
}
