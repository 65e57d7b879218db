import { describe, expect, it } from 'vitest';
import { NO_TRAIL, noteStep, type StepTrail } from '../../../src/domain/step-trail.ts';

const walk = (
  ...steps: readonly (readonly [step: number | null, incarnation?: string | null])[]
): StepTrail =>
  steps.reduce<StepTrail>(
    (trail, [step, incarnation = null], at) => noteStep(trail, { step, incarnation }, at),
    NO_TRAIL,
  );

describe('the trail of an agent', () => {
  it('tells where it is, and nothing of one that sends no steps', () => {
    expect(walk([3], [3], [4])).toEqual({ step: 4, incarnation: null, rewind: null });
    expect(walk([null], [null])).toEqual(NO_TRAIL);
  });

  it('tells from where it went back and when, however it goes on, until it has caught up', () => {
    expect(walk([9], [2], [3])).toEqual({ step: 3, incarnation: null, rewind: { from: 9, to: 2, at: 1 } });
    expect(walk([9], [2], [1])).toMatchObject({ step: 1, rewind: { from: 9, to: 2 } });
    expect(walk([9], [2], [9])).toEqual({ step: 9, incarnation: null, rewind: null });
  });

  it('begins anew with another incarnation', () => {
    expect(walk([9, 'one'], [2, 'two'])).toEqual({ step: 2, incarnation: 'two', rewind: null });
  });
});
