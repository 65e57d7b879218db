import { describe, expect, it } from 'vitest';
import { answerEntropy } from '../../../../src/methods/extensions/answer-entropy.ts';
import { flipRate, flipWeight } from '../../../../src/methods/extensions/flip-gate.ts';
import { logDistill } from '../../../../src/methods/extensions/log-distill.ts';
import { noveltyRewards } from '../../../../src/methods/extensions/novelty.ts';
import { bellOf, restrainWeights } from '../../../../src/methods/extensions/restrain.ts';
import { sharesOfKeys } from './shares-of-keys.ts';

describe('log-distillation', () => {
  it('is the mean log-probability per token, and ln 1e-10 where there is none', () => {
    expect(logDistill(-12, 10)).toBe(-1.2);
    for (const [sum, tokens] of [
      [-3, 0],
      [null, 5],
      [-3, null],
    ] as const) {
      expect(logDistill(sum, tokens)).toBeCloseTo(-23.025850929940457, 12);
    }
  });
});

describe('the entropy of the answers', () => {
  it('is in nats, with no answer as a class of its own', () => {
    expect(answerEntropy(sharesOfKeys(['4', '4', '4', '5', '5', '6', null, '4']))).toBeCloseTo(
      1.2130075659799042,
    );
  });

  it('is 0 for a unanimous group and for one without answers, and ln K where all differ', () => {
    expect(answerEntropy(sharesOfKeys(['4', '4', '4']))).toBe(0);
    expect(answerEntropy(sharesOfKeys([null, null]))).toBeCloseTo(0);
    expect(answerEntropy(sharesOfKeys(['1', '2', '3']))).toBeCloseTo(Math.log(3));
  });
});

describe('the weights of RESTRAIN', () => {
  it('follow the bell and sum to 1', () => {
    const weights = restrainWeights(sharesOfKeys(['4', '4', '5', '6']), { center: 1, width: 0.5 });
    expect(weights.get('4')).toBeCloseTo(0.48296979509347987, 12);
    expect(weights.get('5')).toBeCloseTo(0.25851510245326004, 12);
    expect(weights.get('6')).toBe(weights.get('5'));
  });

  it('are all 0 under a bell so narrow that nothing is under it', () => {
    expect([...restrainWeights(sharesOfKeys(['4', '5']), { center: 1, width: 1e-3 }).values()]).toEqual([
      0, 0,
    ]);
  });

  it('have their peak at the center', () => {
    expect(bellOf(0.7, { center: 0.7, width: 0.1 })).toBe(1);
    expect(bellOf(0.6, { center: 0.7, width: 0.1 })).toBeCloseTo(Math.exp(-0.5));
  });
});

describe('the novelty reward of EVOL-RL', () => {
  const rollout = (majority: boolean, novelty: number, answered = true) => ({ majority, novelty, answered });

  it('scales novelty within each class, and pays -1 to no answer', () => {
    const group = [
      rollout(true, 0.2),
      rollout(true, 0.5),
      rollout(true, 0.8),
      rollout(false, 0.1),
      rollout(false, 0.3),
      rollout(false, 0.9, false),
    ];
    expect(group.map(noveltyRewards(group))).toEqual([0.5, 0.75, 1, -1, -0.5, -1]);
  });

  it('pays a class of one the upper end of its range, and one of equal novelties the middle', () => {
    const alone = [rollout(true, 0.4), rollout(false, 0.4)];
    expect(alone.map(noveltyRewards(alone))).toEqual([1, -0.5]);
    const equal = [rollout(true, 0.4), rollout(true, 0.4), rollout(false, 0.1), rollout(false, 0.1)];
    expect(equal.map(noveltyRewards(equal))).toEqual([0.75, 0.75, -0.75, -0.75]);
  });

  it('keeps a rollout that came late within the range of its class', () => {
    const pay = noveltyRewards([rollout(true, 0.2), rollout(true, 0.4)]);
    expect([pay(rollout(true, 0)), pay(rollout(true, 1)), pay(rollout(true, 0.3))]).toEqual([
      0.5,
      1,
      expect.closeTo(0.75),
    ]);
  });
});

describe('the flip gate', () => {
  const RULES = { flipPenalty: 0.5, confidentPenalty: 0.3, tauFlip: 0.3, tauShare: 0.6, floor: 0.1 };

  it('halves the weight of a label that changed, and takes more where the new one is confident', () => {
    expect(flipWeight(0, 0.9, RULES)).toBe(1);
    expect(flipWeight(1, 0.6, RULES)).toBe(0.5);
    expect(flipWeight(1, 0.7, RULES)).toBeCloseTo(0.35);
  });

  it('never weighs less than its floor', () => {
    expect(flipWeight(1, 0.9, { ...RULES, flipPenalty: 1 })).toBe(0.1);
  });

  it('counts the teachers whose label changed among those that had one both times', () => {
    expect(flipRate([])).toBe(0);
    expect(
      flipRate([
        { now: '4', previous: null },
        { now: null, previous: '4' },
      ]),
    ).toBe(0);
    expect(
      flipRate([
        { now: '4', previous: '5' },
        { now: '4', previous: '4' },
      ]),
    ).toBe(0.5);
  });
});
