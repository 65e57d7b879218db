import { describe, expect, it } from 'vitest';
import {
  MOST_SUBSETS,
  majAtK,
  majorities,
  passAtK,
  pooledMajAtK,
  scoreMajority,
} from '../../../src/methods/maj-at-k.ts';

const isGold = (answer: string) => answer === '5';
const noDraw = () => {
  throw new Error('these subsets are counted');
};

/** A linear congruential generator: the test needs chance that repeats, not good chance. */
function makeRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('maj@k', () => {
  it('shares a tie for the top, or gives it to the earliest, or to nobody', () => {
    const pooled = ['7', '7', '5', '5', '5', '5', '7', '7'];
    expect(majorities(pooled)).toEqual(['7', '5']);
    expect(scoreMajority(pooled, isGold, 'fractional')).toBe(0.5);
    expect(scoreMajority(pooled, isGold, 'first')).toBe(0);
    expect(scoreMajority([...pooled].reverse(), isGold, 'first')).toBe(0);
    expect(scoreMajority(['5', '7'], isGold, 'first')).toBe(1);
    expect(scoreMajority(pooled, isGold, 'discard')).toBe(0);
  });

  it('lets abstentions neither vote nor win', () => {
    expect(scoreMajority([null, null, null, '5'], isGold, 'fractional')).toBe(1);
    expect(scoreMajority([null, null], isGold, 'fractional')).toBe(0);
  });

  it('is the mean over every subset of k answers', () => {
    const options = { k: 3, isGold: (answer: string) => answer === 'a', random: noDraw };
    const answers = ['a', 'a', 'b', 'c'];
    const counted = { standardError: 0, subsets: 4, exact: true };
    expect(majAtK(answers, { ...options, tie: 'first' })).toEqual({ score: 1, ...counted });
    expect(majAtK(answers, { ...options, tie: 'fractional' })).toEqual({
      score: expect.closeTo(2 / 3),
      ...counted,
    });
    expect(passAtK(4, 2, 3)).toBe(1);
    expect(passAtK(4, 2, 1)).toBe(0.5);
  });

  it('takes all answers where there are fewer than k', () => {
    expect(majAtK(['5'], { k: 8, isGold, tie: 'first', random: noDraw })).toMatchObject({
      score: 1,
      subsets: 1,
    });
    expect(passAtK(2, 1, 8)).toBe(1);
  });

  it('draws where the subsets are too many, and says how far off that may be', () => {
    // Half of 40 answers are right: maj@9 of an even draw is one half by symmetry.
    const answers = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? '5' : '7'));
    const drawn = majAtK(answers, { k: 9, isGold, tie: 'fractional', random: makeRandom() });
    expect(drawn).toMatchObject({ exact: false, subsets: MOST_SUBSETS });
    expect(drawn.standardError).toBeGreaterThan(0);
    expect(Math.abs(drawn.score - 0.5)).toBeLessThan(4 * drawn.standardError);
  });
});

describe('maj@k of several agents', () => {
  const options = { isGold, tie: 'fractional', random: noDraw } as const;

  it('takes equally many answers of each', () => {
    // One of each: 5 and 5, 5 and 7, 7 and 5, 7 and 7.
    const pools = [
      ['5', '7'],
      ['5', '7'],
    ];
    expect(pooledMajAtK(pools, { ...options, k: 2 })).toEqual({
      score: 0.5,
      standardError: 0,
      subsets: 4,
      exact: true,
    });
    // Both of an agent could never be taken: with them, 5 would win alone more often.
    const unlike = [
      ['5', '5'],
      ['7', '7'],
    ];
    expect(pooledMajAtK(unlike, { ...options, k: 2 })).toMatchObject({ score: 0.5, subsets: 4 });
    expect(majAtK(unlike.flat(), { ...options, k: 2 }).subsets).toBe(6);
  });

  it('gives the rest of k to every agent in turn', () => {
    const pools = [
      ['5', '5'],
      ['7', '7'],
    ];
    // 5 5 7 in two ways, 5 7 7 in two.
    expect(pooledMajAtK(pools, { ...options, k: 3 })).toMatchObject({ score: 0.5, subsets: 4, exact: true });
  });

  it('draws where there are too many ways, and comes near all of them', () => {
    const pool = (right: number) => Array.from({ length: 14 }, (_, at) => (at < right ? '5' : '7'));
    const pools = [pool(10), pool(9)];
    const drawn = pooledMajAtK(pools, { ...options, k: 6, random: makeRandom() });
    expect(drawn).toMatchObject({ exact: false, subsets: MOST_SUBSETS });
    // Three of each by the hypergeometric chances of 0 to 3 right ones.
    const chances = (right: number) =>
      [0, 1, 2, 3].map((hits) => (choose(right, hits) * choose(14 - right, 3 - hits)) / choose(14, 3));
    let exact = 0;
    for (const [a, p] of chances(10).entries()) {
      for (const [b, q] of chances(9).entries()) exact += p * q * (a + b > 3 ? 1 : a + b === 3 ? 0.5 : 0);
    }
    expect(Math.abs(drawn.score - exact)).toBeLessThan(4 * drawn.standardError);
    expect(pooledMajAtK(pools, { ...options, k: 6, random: makeRandom(), draws: 50 }).subsets).toBe(50);
  });
});

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}
