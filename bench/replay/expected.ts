import { canonicalKey } from '../../src/answers/canonical-key.ts';
import { extract } from '../../src/answers/extract.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import { hashKey } from '../../src/domain/hash.ts';
import { groupName, groupRollouts, type Rollout, type RolloutsFile } from './rollouts.ts';

/** Who teaches: the agent before (the paper) or after (the paper's code) in the ring. */
export type Ring = 'predecessor' | 'successor';

export interface Rules {
  readonly mode: ExtractionMode;
  readonly ring: Ring;
  /** What breaks a tie: the smallest rollout index, or the smallest key hash where no index is sent. */
  readonly tie: 'index' | 'hash';
}

/** What the server must say about one rollout. */
export interface Expected {
  readonly reward: 0 | 1;
  /** Key of the teacher's label; null: unlabeled. */
  readonly label: string | null;
}

export interface Recomputed {
  /** By rollout name. */
  readonly expected: ReadonlyMap<string, Expected>;
  /** Key of every group's own label by group name; null: it has none. */
  readonly labels: ReadonlyMap<string, string | null>;
}

/** Answers longer than this abstain, as the server documents. */
const MAX_ANSWER_LENGTH = 4096;

/**
 * The rewards of a file under co-rl in a ring, worked out anew from the paper's definition: only the
 * reading of answers is shared with the server, neither its vote nor its methods.
 */
export function recompute({ rollouts, agents }: RolloutsFile, { mode, ring, tie }: Rules): Recomputed {
  const keys = new Map(rollouts.map((rollout) => [rollout.name, keyOf(rollout, mode)]));
  const labels = new Map<string, string | null>();
  for (const [name, group] of groupRollouts(rollouts)) {
    const byIndex = group.toSorted((a, b) => a.index - b.index);
    labels.set(
      name,
      labelOf(
        byIndex.map((rollout) => keys.get(rollout.name) ?? null),
        tie,
      ),
    );
  }
  const expected = new Map<string, Expected>();
  for (const rollout of rollouts) {
    const label =
      labels.get(groupName({ ...rollout, agent: teacherOf(agents, rollout.agent, ring) })) ?? null;
    const reward = label !== null && keys.get(rollout.name) === label ? 1 : 0;
    expected.set(rollout.name, { reward, label });
  }
  return { expected, labels };
}

/** The teacher of an agent in the ring of all agents. */
export function teacherOf(agents: readonly string[], agent: string, ring: Ring): string {
  const step = ring === 'predecessor' ? agents.length - 1 : 1;
  return agents[(agents.indexOf(agent) + step) % agents.length] ?? agent;
}

function keyOf({ completion }: Rollout, mode: ExtractionMode): string | null {
  const answer = extract(completion.toWellFormed(), { mode });
  return answer === null || answer.length > MAX_ANSWER_LENGTH ? null : canonicalKey(answer, mode);
}

/** The most frequent of keys in order of their index; null has no vote. */
export function labelOf(keys: readonly (string | null)[], tie: Rules['tie']): string | null {
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  const most = Math.max(...counts.values());
  // A Map keeps the order of first insertion, so the first of the leaders has the smallest index.
  const leaders = [...counts].filter(([, count]) => count === most).map(([key]) => key);
  if (tie === 'hash') leaders.sort((a, b) => hashKey(a) - hashKey(b));
  return leaders[0] ?? null;
}
