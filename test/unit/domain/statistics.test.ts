import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mergeMoments,
  momentsOf,
  NO_VALUES,
  populationStd,
  unbiasedStd,
} from '../../../src/domain/statistics.ts';
import { readVectors } from '../../fixtures/vectors/read-vectors.ts';

const { group, rewards } = readVectors('statistics');

describe('moments', () => {
  it('give the mean and both standard deviations of the reference case', () => {
    const moments = momentsOf(group.rewards);
    expect(moments.mean).toBe(0.75);
    expect(populationStd(moments)).toBeCloseTo(group.std_pop, 12);
    expect(unbiasedStd(moments)).toBeCloseTo(group.std_unbiased, 12);
  });

  it('merge to the standard deviation over a whole batch', () => {
    const batch = rewards.groups.map(momentsOf).reduce(mergeMoments, NO_VALUES);
    expect(unbiasedStd(batch)).toBeCloseTo(rewards.expected.batch_std_unbiased ?? Number.NaN, 12);
  });

  it('have no deviation without values, and no unbiased one of a single value', () => {
    expect(populationStd(momentsOf([]))).toBeNull();
    expect(unbiasedStd(momentsOf([3]))).toBeNull();
    expect(populationStd(momentsOf([3]))).toBe(0);
    expect(mergeMoments(NO_VALUES, NO_VALUES)).toEqual(NO_VALUES);
  });

  it('have a deviation of exactly 0 for equal values', () => {
    expect(populationStd(momentsOf([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]))).toBe(0);
  });

  it('merge to the moments of all values, wherever they are split', () => {
    const values = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(values, values, (left, right) => {
        const whole = momentsOf([...left, ...right]);
        const merged = mergeMoments(momentsOf(left), momentsOf(right));
        expect(merged.count).toBe(whole.count);
        expect(merged.mean).toBeCloseTo(whole.mean, 9);
        expect(merged.squares).toBeCloseTo(whole.squares, 6);
      }),
    );
  });
});
