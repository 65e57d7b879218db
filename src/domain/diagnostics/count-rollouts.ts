import { momentsOf, populationStd, unbiasedStd } from '../statistics.ts';
import type { TruthCase } from './count-votes.ts';
import { type AgentCounts, NO_AGENT_COUNTS, toSummand } from './counters.ts';

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

/** What the rollouts of one group count, beside `countVote`; masked rewards are in no figure. */
export function countRollouts(rollouts: readonly CountedRollout[], truth: TruthCase | null): AgentCounts {
  return {
    ...NO_AGENT_COUNTS,
    ...countRewards(rollouts.flatMap(({ reward }) => reward ?? [])),
    ...countLengths(rollouts),
    ...(truth !== null && countTruth(rollouts, truth)),
    matches: rollouts.filter(({ matches }) => matches).length,
  };
}

/**
 * Two things go by the name of reward std within a group: that of the paper (population, Fig. 4b), and that of TRL's
 * advantage (unbiased). The third, over a whole batch, comes from the sums.
 */
function countRewards(rewards: readonly number[]): Partial<AgentCounts> {
  const moments = momentsOf(rewards);
  const population = populationStd(moments);
  const unbiased = unbiasedStd(moments);
  return {
    rewards: rewards.length,
    rewardSum: toSummand(sum(rewards)),
    rewardSquares: toSummand(sum(rewards.map((reward) => reward * reward))),
    rewardedGroups: Number(population !== null),
    populationStds: toSummand(population ?? 0),
    zeroStds: Number(population === 0),
    spreadGroups: Number(unbiased !== null),
    unbiasedStds: toSummand(unbiased ?? 0),
  };
}

/** By TRL's definitions: the clipped ratio is of all completions, terminated lengths of those that ended themselves. */
function countLengths(rollouts: readonly CountedRollout[]): Partial<AgentCounts> {
  const lengths = rollouts.flatMap(({ tokens }) => tokens ?? []);
  const ended = rollouts.flatMap(({ tokens, truncated }) => (truncated ? [] : (tokens ?? [])));
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

function countTruth(rollouts: readonly CountedRollout[], truth: TruthCase): Partial<AgentCounts> {
  const right = rollouts.map(({ answer }) => answer !== null && answer !== '' && truth.isRight(answer));
  const rightRollouts = right.filter(Boolean).length;
  const binary = rollouts.map(({ reward }) => (reward === 0 || reward === 1 ? reward : null));
  return {
    truthGroups: Number(rollouts.length > 0),
    passedGroups: Number(rightRollouts > 0),
    truthRollouts: rollouts.length,
    rightRollouts,
    truthRewards: binary.filter((reward) => reward !== null).length,
    rewardHits: binary.filter((reward, at) => reward === Number(right[at])).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
