import { rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/**
 * Control: 1 for a rollout that has an answer, right or wrong, else 0 ("Spurious Rewards", arXiv 2506.10947). What an
 * answer is, the cohort's mode says: with `boxed` it is the paper's, a box that is not empty.
 */
export const format: RewardMethod = {
  name: 'format',
  needs: [],
  needsTruth: () => false,
  waitsFor: () => [],
  judge: () => rewardEach({ source: 'control', outcomeOf: ({ key }) => ({ reward: key === null ? 0 : 1 }) }),
};
