import { momentsOf, populationStd, unbiasedStd } from '../statistics.ts';
import { countCase, type Ratio, type Ratios } from './ratios.ts';

/**
 * Reward statistics of one group; rewards that are null (masked) are left out. Three things go by the name
 * of reward std: the within-group one of the paper (population, Fig. 4b), that of GRPO's advantage
 * (unbiased), and the one over a whole batch that TRL logs, for which `momentsOf` its rewards are merged.
 */
export function countRewards(rewards: readonly (number | null)[]): Ratios {
  const paid = rewards.filter((reward) => reward !== null);
  const moments = momentsOf(paid);
  const population = populationStd(moments);
  return new Map([
    ['reward_mean', { numerator: paid.reduce((a, b) => a + b, 0), denominator: paid.length }],
    ['reward_std_within_pop', meanOf(population)],
    ['reward_std_within_unbiased', meanOf(unbiasedStd(moments))],
    ['frac_reward_zero_std', countCase(population === null ? null : population === 0)],
  ]);
}

/** One group's part in a mean over groups; none where the group has no such value. */
function meanOf(value: number | null): Ratio {
  return { numerator: value ?? 0, denominator: value === null ? 0 : 1 };
}
