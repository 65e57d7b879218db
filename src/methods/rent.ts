import type { MethodOptions } from '../domain/method-options.ts';
import { type Outcome, rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/**
 * RENT (arXiv 2505.22660): minus the mean entropy of a rollout's tokens, in nats, as the trainer measured it at the
 * temperature that it sampled with. Nobody is waited for.
 */
export const rent: RewardMethod = {
  name: 'rent',
  needs: ['entropy'],
  needsTruth: () => false,
  waitsFor: () => [],
  judge: ({ cohort }) =>
    rewardEach({
      source: 'entropy',
      outcomeOf: ({ signals, key }) =>
        rentReward(signals?.entropy ?? null, key !== null, cohort.options.rent),
    }),
};

/**
 * −entropy. A null entropy is that of an empty completion, which the reference pays 0, the best there is: here it has
 * no reward. With `baseFormat` (the paper's own repository) a rollout without an answer gets a fixed low reward.
 */
export function rentReward(
  entropy: number | null,
  hasAnswer: boolean,
  { baseFormat, unparseableReward }: MethodOptions['rent'],
): Outcome {
  if (baseFormat && !hasAnswer) return { reward: unparseableReward };
  if (entropy === null) return { reward: null, reason: 'It has no tokens, so its entropy is not defined.' };
  // Plain negation would make -0 of a rollout without any doubt.
  return { reward: 0 - entropy };
}
