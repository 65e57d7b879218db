import { describe, expect, it } from 'vitest';
import { disagreementOf, disagreementWeight } from '../../../../src/methods/extensions/disagreement.ts';
import { fourRegime } from '../../../../src/methods/extensions/four-regime.ts';
import { softCross } from '../../../../src/methods/extensions/soft-cross.ts';
import { type Keys, sharesOfKeys } from './shares-of-keys.ts';

/** Five of eight say 4, two say 5, one has no answer. */
const PEER = ['4', '4', '4', '4', '4', '5', '5', null];
const MINE = ['4', '5', '6', null];

describe('the soft reward', () => {
  it("is the share of all of the peer's rollouts that gave the answer, those without one included", () => {
    const peer = sharesOfKeys(PEER);
    expect(MINE.map((key) => softCross(key, peer))).toEqual([0.625, 0.25, 0, 0]);
  });

  it('is 0 for everything where the peer has no answer', () => {
    expect(MINE.map((key) => softCross(key, sharesOfKeys([null, null])))).toEqual([0, 0, 0, 0]);
  });
});

describe('the four-regime reward', () => {
  const judge = (peer: Keys, tauHigh: number, tauMid: number) =>
    MINE.map((key) => {
      const { reward, regime } = fourRegime(key, sharesOfKeys(peer), { tauHigh, tauMid, penalty: 0.5 });
      return `${regime} ${reward}`;
    });

  it('pays a confident majority, spares a strong runner-up, and charges what the peer never said', () => {
    expect(judge(PEER, 0.5, 0.25)).toEqual([
      'confident-positive 1',
      'strong-runner-up 0',
      'unseen -0.5',
      'unseen -0.5',
    ]);
  });

  it('pays nothing for a majority below the upper threshold, and charges a runner-up below the lower one', () => {
    expect(judge(PEER, 0.7, 0.3)).toEqual([
      'uncertain-majority 0',
      'weak -0.5',
      'unseen -0.5',
      'unseen -0.5',
    ]);
  });

  it('takes a share that equals a threshold as above it', () => {
    expect(judge(PEER, 0.625, 0.25).slice(0, 2)).toEqual(['confident-positive 1', 'strong-runner-up 0']);
  });

  it('pays nothing at all where the top is tied or nobody answered, before any other test', () => {
    expect(new Set(judge(['4', '4', '5', '5'], 0.5, 0.25))).toEqual(new Set(['tied-top 0']));
    expect(new Set(judge([null], 0.5, 0.25))).toEqual(new Set(['no-peer-answer 0']));
  });
});

describe('disagreement', () => {
  const all = (own: Keys, peer: Keys) =>
    (['top1', 'tv', 'jsd'] as const).map((kind) =>
      disagreementOf(sharesOfKeys(own), sharesOfKeys(peer), kind),
    );

  it('has the values of co-grpo-dp, where rollouts without an answer count in the denominators only', () => {
    const [top1, tv, jsd] = all(['4', '4', '6', '6', '6', null, '4', '4'], PEER);
    expect([top1, tv]).toEqual([0.6875, 0.375]);
    expect(jsd).toBeCloseTo(0.317519716341, 12);
  });

  it('is 1 between groups that share no answer, and 0 between unanimous equal ones', () => {
    expect(all(['4', '4'], ['5', '5'])).toEqual([1, 1, 1]);
    expect(all(['4', '4'], ['4', '4', '4'])).toEqual([0, 0, 0]);
  });

  it('is 1 where either side has no answer', () => {
    expect(all([null], ['5', '5'])).toEqual([1, 1, 1]);
    expect(all(['5'], [null])).toEqual([1, 1, 1]);
  });

  it('weighs no less than the least weight and no more than 1', () => {
    const same = sharesOfKeys(['4']);
    expect(disagreementWeight(same, same, 'tv', 0.2)).toBe(0.2);
    expect(disagreementWeight(same, sharesOfKeys(['5']), 'jsd', 0.2)).toBe(1);
  });
});
