import { describe, expect, it } from 'vitest';
import { MOST_SUBSETS, majAtK, majorities, passAtK, scoreMajority } from '../../../src/methods/maj-at-k.ts';

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
