import { describe, expect, it } from 'vitest';
import { momentsOf, populationStd, unbiasedStd } from '../../../src/domain/statistics.ts';
import { readVectors } from '../../fixtures/vectors/read-vectors.ts';

const { group } = readVectors('statistics');

describe('moments', () => {
  it('give the mean and both standard deviations of the reference case', () => {
    const moments = momentsOf(group.rewards);
    expect(moments.mean).toBe(0.75);
    expect(populationStd(moments)).toBeCloseTo(group.std_pop, 12);
    expect(unbiasedStd(moments)).toBeCloseTo(group.std_unbiased, 12);
  });

  it('have no deviation without values, and no unbiased one of a single value', () => {
    expect(populationStd(momentsOf([]))).toBeNull();
    expect(unbiasedStd(momentsOf([3]))).toBeNull();
    expect(populationStd(momentsOf([3]))).toBe(0);
  });

  it('have a deviation of exactly 0 for equal values', () => {
    expect(populationStd(momentsOf([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]))).toBe(0);
  });
});
