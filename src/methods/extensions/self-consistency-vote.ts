import { type Counted, sharesOf } from './shares.ts';

/**
 * Scores of RLCCF's vote: every rollout counts by its agent's self-consistency f_n, the share of that agent's top
 * answer. One entry of `votes` per agent. The label is the answer with the highest score (formula from third-party
 * notes on RLCCF).
 */
export function selfConsistencyScores(votes: readonly Counted[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const vote of votes) {
    const { topShare } = sharesOf(vote);
    for (const { key, votes: count } of vote.clusters) {
      scores.set(key, (scores.get(key) ?? 0) + topShare * count);
    }
  }
  return scores;
}
