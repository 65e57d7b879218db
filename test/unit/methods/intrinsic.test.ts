import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanOverTokens, readMean } from '../../../src/methods/intrinsic.ts';
import { intuitorReward } from '../../../src/methods/intuitor.ts';
import { rentReward } from '../../../src/methods/rent.ts';

const plain = { baseFormat: false, unparseableReward: -7 };

/** What a trainer computes of one token's distribution, in nats. */
function entropyOf(distribution: readonly number[]): number {
  return -distribution.reduce((sum, p) => sum + p * Math.log(p), 0);
}

function divergenceOf(distribution: readonly number[]): number {
  const size = distribution.length;
  return -Math.log(size) - distribution.reduce((sum, p) => sum + Math.log(p), 0) / size;
}

const sure = [0.97, 0.01, 0.01, 0.01];
const unsure = [0.25, 0.25, 0.25, 0.25];
const between = [0.7, 0.1, 0.1, 0.1];
const tokens = [between, unsure, sure];

function meanOf(values: readonly number[], mask: readonly (number | boolean)[] | null = null): number | null {
  const read = meanOverTokens(values, mask);
  return read.kind === 'mean' ? read.mean : null;
}

describe('the mean over tokens', () => {
  it('gives the rewards of the reference for three known distributions', () => {
    const rent = rentReward(meanOf(tokens.map(entropyOf)), true, plain);
    const intuitor = intuitorReward(meanOf(tokens.map(divergenceOf)));
    expect(rent.reward).toBeCloseTo(-0.831480962205009, 12);
    expect(intuitor.reward).toBeCloseTo(0.8350037582842269, 12);
  });

  it('leaves out what the mask leaves out, whatever is there', () => {
    expect(meanOf([2, 4, 9], [1, 1, 0])).toBe(3);
    expect(meanOf([2, 4, 9], [true, false, true])).toBe(5.5);
    expect(meanOf([2, Number.NaN, -5], [1, 0, 0])).toBe(2);
  });

  it('is empty, not 0, where no token counts', () => {
    expect(meanOverTokens([], null)).toEqual({ kind: 'empty' });
    expect(meanOverTokens([1, 2], [0, 0])).toEqual({ kind: 'empty' });
  });

  it.each([
    [[1, 2], [1], 'has 2 values, but the mask has 1: send one of each per token'],
    [[1, Number.NaN], null, 'has a value that is not finite at token 1'],
    [[Number.POSITIVE_INFINITY], null, 'has a value that is not finite at token 0'],
    [[0.5, -0.5], null, 'has the negative value -0.5 at token 1'],
    [[1.7e308, 1.7e308], null, 'has a mean above 1000000000'],
    [[3e9, 0], null, 'has a mean above 1000000000'],
  ])('refuses %j with mask %j', (values, mask, reason) => {
    expect(meanOverTokens(values, mask)).toEqual({ kind: 'invalid', reason });
  });

  it('takes a rounding error below 0 for 0', () => {
    expect(meanOf([-1e-7, 0])).toBe(0);
    expect(readMean(-1e-7)).toEqual({ kind: 'mean', mean: 0 });
    expect(readMean(-0.01)).toMatchObject({ kind: 'invalid' });
    expect(readMean(Number.NaN)).toMatchObject({ kind: 'invalid' });
  });

  it('lies between the least and the greatest value that counts', () => {
    const entry = fc.tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
        const mask = entries.map(([, counts]) => counts);
        const counting = entries.flatMap(([value, counts]) => (counts ? [value] : []));
        const read = meanOverTokens(
          entries.map(([value]) => value),
          mask,
        );
        expect(read.kind).toBe(counting.length === 0 ? 'empty' : 'mean');
        if (counting.length === 0) return;
        const mean = read.kind === 'mean' ? read.mean : Number.NaN;
        expect(mean).toBeGreaterThanOrEqual(Math.min(...counting) - 1e-9);
        expect(mean).toBeLessThanOrEqual(Math.max(...counting) + 1e-9);
      }),
    );
  });
});

describe('rent', () => {
  it('pays an empty completion nothing, although 0 would be the best reward there is', () => {
    expect(rentReward(null, true, plain)).toEqual({
      reward: null,
      reason: 'It has no tokens, so its entropy is not defined.',
    });
  });

  it('never pays -0', () => {
    expect(Object.is(rentReward(0, true, plain).reward, 0)).toBe(true);
  });

  it('pays a rollout without an answer -7 in base_format, with or without tokens', () => {
    const baseFormat = { baseFormat: true, unparseableReward: -7 };
    const rewards = [
      [0.5, true],
      [1.5, true],
      [0.2, false],
      [null, false],
    ] as const;
    expect(rewards.map(([entropy, parsed]) => rentReward(entropy, parsed, baseFormat).reward)).toEqual([
      -0.5, -1.5, -7, -7,
    ]);
    expect(rentReward(0.2, false, plain).reward).toBe(-0.2);
  });
});

describe('intuitor', () => {
  it('is no function of the entropy: the two may rank distributions the other way round', () => {
    const twoPeaks = [0.5, 0.499998, 1e-6, 1e-6];
    const onePeak = [0.85, 0.05, 0.05, 0.05];
    expect(-entropyOf(twoPeaks)).toBeLessThan(-entropyOf(onePeak));
    expect(divergenceOf(twoPeaks)).toBeGreaterThan(divergenceOf(onePeak));
  });

  it('pays an empty completion nothing', () => {
    expect(intuitorReward(null)).toMatchObject({ reward: null });
    expect(intuitorReward(0)).toEqual({ reward: 0 });
  });
});
