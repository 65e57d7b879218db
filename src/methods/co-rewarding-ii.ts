import { frozenTeachersOf } from '../domain/supervision.ts';
import { awaitedBy } from './awaited.ts';
import { rewardByOther } from './co-rewarding.ts';
import { emaCoefficient } from './ema-schedule.ts';
import type { RewardMethod } from './method.ts';
import { unrewarded } from './verdicts.ts';

/**
 * Co-rewarding-II: the majority of a teacher, a slow copy of the policy that follows it by an exponential moving
 * average. The trainer averages; a(s) says how much.
 */
export const coRewardingTwo: RewardMethod = {
  name: 'co-rewarding-ii',
  needs: [],
  needsTruth: () => false,
  waitsFor: (cohort, agent) => awaitedBy(cohort, agent, frozenTeachersOf(cohort, agent)),
  judge: (input) => {
    const { step } = input.own;
    const coefficient = step === null ? null : emaCoefficient(input.cohort.options.coRewarding.ema, step);
    const judgement = input.agent.role === 'teacher' ? unrewarded() : rewardByOther(input, 'ema-teacher');
    return { ...judgement, emaCoefficient: coefficient };
  },
};
