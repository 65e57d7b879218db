import { describe, expect, it } from 'vitest';
import { countCompletions } from '../../../../src/domain/diagnostics/completions.ts';
import { addRatios, compatValue, type Ratios } from '../../../../src/domain/diagnostics/ratios.ts';
import { countRewards } from '../../../../src/domain/diagnostics/rewards.ts';
import { readVectors } from '../../../fixtures/vectors/read-vectors.ts';

const { rewards, lengths } = readVectors('statistics');

describe('countRewards', () => {
  it('gives the mean, both within-group deviations and the share without any of the reference case', () => {
    const sums = rewards.groups.map(countRewards).reduce(addRatios, new Map());
    const value = (name: string) => compatValue(sums.get(name) ?? { numerator: Number.NaN, denominator: 1 });
    const { expected } = rewards;
    expect(value('reward_mean')).toBeCloseTo(expected.reward_mean ?? Number.NaN, 9);
    expect(value('reward_std_within_pop')).toBeCloseTo(expected.within_group_std_pop_mean ?? Number.NaN, 9);
    expect(value('reward_std_within_unbiased')).toBeCloseTo(
      expected.within_group_std_unbiased_mean ?? Number.NaN,
      9,
    );
    expect(value('frac_reward_zero_std')).toBeCloseTo(expected.frac_reward_zero_std ?? Number.NaN, 9);
  });

  it('leaves masked rewards out, and a group that has nothing else', () => {
    const partly = countRewards([1, null, 0]);
    expect(partly.get('reward_mean')).toEqual({ numerator: 1, denominator: 2 });
    for (const [name, { denominator }] of countRewards([null, null])) expect(denominator, name).toBe(0);
  });

  it('takes no unbiased deviation of one reward', () => {
    const single = countRewards([1]);
    expect(single.get('reward_std_within_unbiased')).toEqual({ numerator: 0, denominator: 0 });
    expect(single.get('frac_reward_zero_std')).toEqual({ numerator: 1, denominator: 1 });
  });
});

describe('countCompletions', () => {
  const value = (sums: Ratios, name: string) =>
    compatValue(sums.get(`completions/${name}`) ?? { numerator: Number.NaN, denominator: 1 });

  it('gives the lengths and the clipped ratio of the reference case', () => {
    const sums = countCompletions(
      lengths.lengths.map((tokens, at) => ({ tokens, truncated: lengths.truncated[at] === 1 })),
    );
    for (const [name, expected] of Object.entries(lengths.expected))
      expect(value(sums, name), name).toBe(expected);
  });

  it('leaves unknown lengths out of the means and in the clipped ratio', () => {
    const sums = countCompletions([
      { tokens: null, truncated: true },
      { tokens: 8, truncated: false },
    ]);
    expect(sums.get('completions/mean_length')).toEqual({ numerator: 8, denominator: 1 });
    expect(sums.get('completions/clipped_ratio')).toEqual({ numerator: 1, denominator: 2 });
  });
});
