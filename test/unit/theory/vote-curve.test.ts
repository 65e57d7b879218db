import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialPmf, convolve } from '../../../src/theory/binomial.ts';
import {
  evenPoint,
  meanSpread,
  pull,
  pullSlopeAtHalf,
  rateAtHalf,
  selfPull,
  speed,
  voteAccuracy,
} from '../../../src/theory/vote-curve.ts';

const size = fc.integer({ min: 1, max: 40 });
const chance = fc.double({ min: 0, max: 1, noNaN: true });

describe('the vote of K binary answers', () => {
  it.each([
    { k: 8, p: 0.2, v: 0.033344, phi: -0.933312, h: 0.3370766440844924, self: -0.04867327001637644 },
    {
      k: 8,
      p: 0.55,
      v: 0.608287796875,
      phi: 0.21657559375,
      h: 0.460879089456197,
      self: 0.022596008740274304,
    },
    { k: 7, p: 0.9, v: 0.997272, phi: 0.994544, h: 0.198900426181116, self: 0.017659530029507337 },
    {
      k: 11,
      p: 0.45,
      v: 0.3668774191711526,
      phi: -0.2662451616576955,
      h: 0.4724893803562261,
      self: -0.029610928090917022,
    },
  ])('is right, pulls and spreads as computed by hand for K = $k, p = $p', ({ k, p, v, phi, h, self }) => {
    expect(voteAccuracy(k, p)).toBeCloseTo(v, 12);
    expect(pull(k, p)).toBeCloseTo(phi, 12);
    expect(meanSpread(k, p)).toBeCloseTo(h, 12);
    expect(speed(k, p)).toBeCloseTo(p * (1 - p) * h, 12);
    expect(p * (1 - p) * selfPull(k, p)).toBeCloseTo(self, 12);
  });

  it('counts a tie as half right, wrong, or right, as it is told', () => {
    expect(voteAccuracy(8, 0.45, 'strict')).toBeCloseTo(0.2603807173828126, 12);
    expect(voteAccuracy(8, 0.45, 'lenient')).toBeCloseTo(0.5230436888671877, 12);
    expect(pull(8, 0.2, 'strict')).toBeCloseTo(-0.9791872, 12);
    expect(pull(8, 0.2, 'lenient')).toBeCloseTo(-0.8874368, 12);
  });

  it('gains nothing from the last answer of an even K', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), chance, (m, p) => {
        expect(pull(2 * m, p)).toBeCloseTo(pull(2 * m - 1, p), 10);
      }),
    );
  });

  it('pulls away from 1/2, alike on both sides', () => {
    fc.assert(
      fc.property(size, chance, (k, p) => {
        expect(pull(k, 1 - p)).toBeCloseTo(-pull(k, p), 10);
        expect(pull(k, p)).toBeCloseTo(2 * voteAccuracy(k, p) - 1, 10);
        if (Math.abs(p - 0.5) > 1e-6) expect(Math.sign(pull(k, p))).toBe(Math.sign(p - 0.5));
      }),
    );
  });

  it('has its even point at 1/2, but where ties are counted to one side', () => {
    expect(evenPoint(8, 'half')).toBeCloseTo(0.5, 9);
    expect(evenPoint(8, 'strict')).toBeCloseTo(0.5598447953652342, 9);
    expect(evenPoint(12, 'lenient')).toBeCloseTo(0.459507185780444, 9);
  });

  it.each([
    { k: 3, slope: 3, rate: 0.26516504294495535 },
    { k: 8, slope: 4.375, rate: 0.507405923721302 },
    { k: 12, slope: 5.4140625, rate: 0.6463451295963735 },
    { k: 15, slope: 6.2841796875, rate: 0.7578076283338874 },
  ])('leaves 1/2 at the rate of the theory for K = $k', ({ k, slope, rate }) => {
    expect(pullSlopeAtHalf(k)).toBeCloseTo(slope, 12);
    expect(rateAtHalf(k)).toBeCloseTo(rate, 12);
  });
});

describe('a binomial distribution', () => {
  it('sums to 1, and two of the same chance add up to one of both', () => {
    fc.assert(
      fc.property(size, size, chance, (n, m, p) => {
        const sum = convolve(binomialPmf(n, p), binomialPmf(m, p));
        expect(sum.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
        for (const [c, weight] of binomialPmf(n + m, p).entries()) expect(sum[c]).toBeCloseTo(weight, 10);
      }),
    );
  });

  it('does not underflow for a thousand answers', () => {
    expect(voteAccuracy(1_001, 0.5)).toBeCloseTo(0.5, 9);
    expect(voteAccuracy(1_001, 0.999)).toBeCloseTo(1, 9);
  });
});
