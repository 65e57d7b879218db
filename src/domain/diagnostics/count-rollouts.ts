import { momentsOf, populationStd, unbiasedStd } from '../statistics.ts';
import type { TruthCase } from './count-votes.ts';
import { type AgentCounts, toSummand } from './counters.ts';

/** One rollout that had a vote. */
export interface CountedRollout {
  readonly answer: string | null;
  /** Null where it is masked. */
  readonly reward: number | null;
  /** Length in tokens; null where the trainer did not say. */
  readonly tokens: number | null;
  readonly truncated: boolean;
  /** Its answer is that of the label that the group is rewarded against. */
  readonly matches: boolean;
}

/**
 * What the rewards of one group and its matches count; masked rewards are in no figure. Two things go by the name of
 * reward std within a group: that of the paper (population, Fig. 4b), and that of TRL's advantage (unbiased). The
 * third, over a whole batch, comes from the sums.
 */
export function countRewards(rollouts: readonly CountedRollout[]): Partial<AgentCounts> {
  const rewards = rollouts.flatMap(({ reward }) => reward ?? []);
  let squares = 0;
  for (const reward of rewards) squares += reward * reward;
  const moments = momentsOf(rewards);
  const population = populationStd(moments);
  const unbiased = unbiasedStd(moments);
  return {
    rewards: rewards.length,
    rewardSum: toSummand(sum(rewards)),
    rewardSquares: toSummand(squares),
    rewardedGroups: Number(population !== null),
    populationStds: toSummand(population ?? 0),
    zeroStds: Number(population === 0),
    spreadGroups: Number(unbiased !== null),
    unbiasedStds: toSummand(unbiased ?? 0),
    matches: rollouts.filter(({ matches }) => matches).length,
  };
}

/** By TRL's definitions: the clipped ratio is of all completions, terminated lengths of those that ended themselves. */
export function countLengths(rollouts: readonly CountedRollout[]): Partial<AgentCounts> {
  const lengths: number[] = [];
  const ended: number[] = [];
  for (const { tokens, truncated } of rollouts) {
    if (tokens === null) continue;
    lengths.push(tokens);
    if (!truncated) ended.push(tokens);
  }
  return {
    truncated: rollouts.filter(({ truncated }) => truncated).length,
    lengths: lengths.length,
    lengthSum: sum(lengths),
    lengthMin: Math.min(...lengths),
    lengthMax: Math.max(...lengths),
    endedLengths: ended.length,
    endedLengthSum: sum(ended),
    endedLengthMin: Math.min(...ended),
    endedLengthMax: Math.max(...ended),
  };
}

/** What a truth says of the rollouts of one group and of their rewards. */
export function countTruth(rollouts: readonly CountedRollout[], truth: TruthCase): Partial<AgentCounts> {
  let [rightRollouts, truthRewards, rewardHits] = [0, 0, 0];
  for (const { answer, reward } of rollouts) {
    const right = Number(answer !== null && answer !== '' && truth.isRight(answer));
    rightRollouts += right;
    if (reward !== 0 && reward !== 1) continue;
    truthRewards += 1;
    if (reward === right) rewardHits += 1;
  }
  return {
    truthGroups: Number(rollouts.length > 0),
    passedGroups: Number(rightRollouts > 0),
    truthRollouts: rollouts.length,
    rightRollouts,
    truthRewards,
    rewardHits,
  };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
