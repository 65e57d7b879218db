import { otherViewsOf } from '../domain/supervision.ts';
import { awaitedBy } from './awaited.ts';
import { rewardByOther } from './co-rewarding.ts';
import type { RewardMethod } from './method.ts';

/**
 * Co-rewarding-I: one policy answers two texts of a problem, the original and a rephrased one, and each view learns from
 * the majority of the other. Two agents of one cohort, in reality two streams of one trainer.
 */
export const coRewardingOne: RewardMethod = {
  name: 'co-rewarding-i',
  needs: [],
  needsTruth: () => false,
  waitsFor: (cohort, agent) => awaitedBy(cohort, agent, otherViewsOf(cohort, agent)),
  judge: (input) => rewardByOther(input, 'other-view'),
};
