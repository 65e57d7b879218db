import { describe, expect, it } from 'vitest';
import {
  type CountedRollout,
  countLengths,
  countRewards,
  countTruth,
} from '../../../../src/domain/diagnostics/count-rollouts.ts';
import type { TruthCase } from '../../../../src/domain/diagnostics/count-votes.ts';
import type { AgentCounts } from '../../../../src/domain/diagnostics/counters.ts';
import { AGENT_RATES } from '../../../../src/domain/diagnostics/rates.ts';
import { readVectors } from '../../../fixtures/vectors/read-vectors.ts';
import { sumAgents } from '../../../support/figures.ts';

const { rewards, lengths } = readVectors('statistics');

function rolloutOf(overrides: Partial<CountedRollout>): CountedRollout {
  return { answer: null, reward: null, tokens: null, truncated: false, matches: false, ...overrides };
}

const count = (rollouts: readonly CountedRollout[], truth: TruthCase | null) =>
  sumAgents(
    countRewards(rollouts),
    countLengths(rollouts),
    truth === null ? {} : countTruth(rollouts, truth),
  );

const paid = (values: readonly (number | null)[]) =>
  count(
    values.map((reward) => rolloutOf({ reward })),
    null,
  );

const valueIn = (name: keyof typeof AGENT_RATES, counts: AgentCounts) => AGENT_RATES[name](counts).value;

describe('rewards', () => {
  const { expected } = rewards;

  it('give the mean, all three deviations and the share without any, as the reference case has them', () => {
    const counts = sumAgents(...rewards.groups.map(paid));
    for (const [name, value] of [
      ['reward_mean', expected.reward_mean],
      ['reward_std_within_pop', expected.within_group_std_pop_mean],
      ['reward_std_within_unbiased', expected.within_group_std_unbiased_mean],
      ['reward_std_batch', expected.batch_std_unbiased],
      ['frac_reward_zero_std', expected.frac_reward_zero_std],
    ] as const) {
      expect(valueIn(name, counts), name).toBeCloseTo(value ?? Number.NaN, 9);
    }
  });

  it('that are masked are left out, and so is a group that has nothing else', () => {
    expect(AGENT_RATES.reward_mean(paid([1, null, 0]))).toEqual({ value: 0.5, numerator: 1, denominator: 2 });
    const masked = paid([null, null]);
    for (const name of ['reward_mean', 'reward_std_within_pop', 'frac_reward_zero_std'] as const) {
      expect(AGENT_RATES[name](masked), name).toEqual({ value: null, numerator: 0, denominator: 0 });
    }
  });

  it('have no unbiased deviation where there is one, and none over a batch of one', () => {
    const single = paid([1]);
    expect(valueIn('reward_std_within_unbiased', single)).toBeNull();
    expect(AGENT_RATES.reward_std_batch(single)).toEqual({ value: null, numerator: null, denominator: 1 });
    expect(valueIn('frac_reward_zero_std', single)).toBe(1);
  });

  it('that are equal have a deviation of exactly 0, also over a batch', () => {
    const equal = sumAgents(paid([0.1, 0.1, 0.1]), paid([0.1, 0.1]));
    expect(valueIn('frac_reward_zero_std', equal)).toBe(1);
    expect(valueIn('reward_std_batch', equal)).toBeCloseTo(0, 6);
  });
});

describe('lengths', () => {
  it('are those of the reference case', () => {
    const counts = count(
      lengths.lengths.map((tokens, at) => rolloutOf({ tokens, truncated: lengths.truncated[at] === 1 })),
      null,
    );
    const expected = {
      ...lengths.expected,
      min_length: 10,
      max_length: 3072,
      min_terminated_length: 10,
      max_terminated_length: 30,
    };
    const rates: Readonly<Record<string, (counts: AgentCounts) => { readonly value: number | null }>> =
      AGENT_RATES;
    for (const [name, value] of Object.entries(expected)) {
      // The clipped ratio is of rollouts, which the vote counts.
      const whole = { ...counts, rollouts: lengths.lengths.length };
      expect(rates[`completions/${name}`]?.(whole).value, name).toBe(value);
    }
  });

  it('that are unknown are in no mean', () => {
    const counts = count([rolloutOf({ truncated: true }), rolloutOf({ tokens: 8 })], null);
    expect(AGENT_RATES['completions/mean_length'](counts)).toEqual({
      value: 8,
      numerator: 8,
      denominator: 1,
    });
    expect(counts.truncated).toBe(1);
    const none = count([rolloutOf({})], null);
    expect(valueIn('completions/min_length', none)).toBeNull();
    expect(valueIn('completions/max_length', none)).toBeNull();
  });
});

describe('a truth', () => {
  const truth = { key: '4', isRight: (answer: string) => answer === '4' };

  it('is held against answers and rewards, each of what it can say something of', () => {
    const counts = count(
      [
        rolloutOf({ answer: '4', reward: 1 }),
        rolloutOf({ answer: '5', reward: 1 }),
        rolloutOf({ answer: null, reward: 0 }),
        rolloutOf({ answer: '4', reward: 0.5 }),
        rolloutOf({ answer: '4', reward: null }),
      ],
      truth,
    );
    expect(AGENT_RATES.ground_truth_ratio(counts)).toMatchObject({ numerator: 3, denominator: 5 });
    expect(AGENT_RATES.reward_accuracy(counts)).toMatchObject({ numerator: 2, denominator: 3 });
    expect(AGENT_RATES.pass_at_k(counts)).toMatchObject({ numerator: 1, denominator: 1 });
  });

  it('that was not given counts nowhere, and a group of nothing is no group', () => {
    for (const counts of [count([rolloutOf({ answer: '4', reward: 1 })], null), count([], truth)]) {
      for (const name of ['reward_accuracy', 'ground_truth_ratio', 'pass_at_k'] as const) {
        expect(AGENT_RATES[name](counts).denominator, name).toBe(0);
      }
    }
  });
});
