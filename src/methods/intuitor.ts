import { type Outcome, rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/**
 * Intuitor (arXiv 2505.19590): the self-certainty of a rollout, the mean over its tokens of KL(U‖p) in nats, which
 * the trainer measures with the policy that it trains now. Nobody is waited for.
 */
export const intuitor: RewardMethod = {
  name: 'intuitor',
  needs: ['selfCertainty'],
  needsTruth: () => false,
  waitsFor: () => [],
  judge: () =>
    rewardEach({
      source: 'self-certainty',
      outcomeOf: ({ signals }) => intuitorReward(signals?.selfCertainty ?? null),
    }),
};

/** A null self-certainty is that of an empty completion, which has no reward. */
export function intuitorReward(selfCertainty: number | null): Outcome {
  if (selfCertainty !== null) return { reward: selfCertainty };
  return { reward: null, reason: 'It has no tokens, so its self-certainty is not defined.' };
}
