import type { PairCounts } from '../domain/diagnostics/counters.ts';

/** One agent's rollouts of one prompt, counted. */
export interface SampleCounts {
  readonly rollouts: number;
  /** Rollouts by key, those without an answer left out. */
  readonly byKey: ReadonlyMap<string, number>;
  /** Keys whose answers are right; null without a truth. */
  readonly rightKeys: ReadonlySet<string> | null;
}

/**
 * What one sample of each of two agents says of the other, in the mean over all pairs of their rollouts of one prompt: the
 * 2x2 table of Co-RL, appendix A, which draws one sample each. A prompt weighs 1, whatever the number of its rollouts.
 * With `same`, both are the same agent, and the pairs are of two different rollouts of it. Null without a pair.
 */
export function countSamplePair(
  first: SampleCounts,
  second: SampleCounts,
  same = false,
): Partial<PairCounts> | null {
  const pairs = first.rollouts * (second.rollouts - (same ? 1 : 0));
  if (pairs <= 0) return null;
  const mean = (a: number, b: number, both = same ? Math.min(a, b) : 0) => (a * b - both) / pairs;
  const answered = total(first.byKey);
  const peerAnswered = total(second.byKey);
  let agreeing = 0;
  let agreeingWrong = 0;
  for (const [key, count] of first.byKey) {
    const share = mean(count, second.byKey.get(key) ?? 0);
    agreeing += share;
    if (first.rightKeys?.has(key) === false) agreeingWrong += share;
  }
  const counts = {
    compared: 1,
    firstLabeled: answered / first.rollouts,
    secondLabeled: peerAnswered / second.rollouts,
    bothLabeled: mean(answered, peerAnswered),
    same: agreeing,
    equivalent: agreeing,
  };
  if (first.rightKeys === null || second.rightKeys === null) return counts;
  const right = rightOf(first);
  const peerRight = rightOf(second);
  return {
    ...counts,
    truths: 1,
    bothRight: mean(right, peerRight),
    firstRight: right / first.rollouts,
    secondRight: peerRight / second.rollouts,
    bothWrong: mean(first.rollouts - right, second.rollouts - peerRight),
    wrongSame: agreeingWrong,
  };
}

/** Right rollouts. */
export function rightOf({ byKey, rightKeys }: SampleCounts): number {
  let right = 0;
  for (const key of rightKeys ?? []) right += byKey.get(key) ?? 0;
  return right;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
