import { describe, expect, it } from 'vitest';
import { Predictor } from '../../../src/theory/predict-cohorts.ts';

describe('the prediction for candidates', () => {
  const predictor = new Predictor(
    [
      [0.9, 0.2, 0.3],
      [0.2, 0.9, 0.6],
      [0.1, 0.1, 0.1],
    ],
    { k: 8, wrong: 1 },
  );

  it('takes each problem to where the ring takes it, by its direction', () => {
    const ends = (members: readonly number[], teaching: 'predecessor' | 'successor') => [
      ...predictor.endsOf({ members, teaching }),
    ];
    expect(ends([0, 1, 2], 'predecessor')).toEqual([0, 1, 0]);
    expect(ends([0, 1, 2], 'successor')).toEqual([1, 1, 0]);
    expect(ends([0, 2, 1], 'successor')).toEqual(ends([0, 1, 2], 'predecessor'));
    expect(ends([0, 1], 'predecessor')).toEqual([1, 1, 0]);
  });

  it('takes an agent that votes by itself up or down from the half', () => {
    expect([...predictor.selfEndsOf(0)]).toEqual([1, 0, 0]);
    expect([...new Predictor([[0.5], [0.42]], { k: 8, wrong: 3 }).selfEndsOf(0)]).toEqual([1, 1]);
    expect([...new Predictor([[0.5]], { k: 8, wrong: 1 }).selfEndsOf(0)]).toEqual([0.5]);
  });
});
