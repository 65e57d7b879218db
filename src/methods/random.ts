import { hashKey } from '../domain/hash.ts';
import { rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/** Which rollout is drawn for. */
export interface DrawSeed {
  readonly cohort: string;
  readonly promptId: string;
  readonly round: number;
  readonly agent: string;
  readonly rollout: string;
}

/**
 * Control: 1 with a fixed probability, whatever the answer ("Spurious Rewards", arXiv 2506.10947). The draw hangs on
 * nothing but what names the rollout, so that every replica and every retry gets the same.
 */
export const random: RewardMethod = {
  name: 'random',
  needs: [],
  needsTruth: () => false,
  waitsFor: () => [],
  judge: ({ cohort, agent, promptId, round }) =>
    rewardEach({
      source: 'control',
      // An id that the server gave says only when the rollout arrived; its text is the same in any order.
      outcomeOf: ({ id, digest, anonymous }) => ({
        reward: drawReward(
          { cohort: cohort.name, promptId, round, agent: agent.name, rollout: anonymous ? digest : id },
          cohort.options.random.probability,
        ),
      }),
    }),
};

/** Bernoulli: 1 with `probability`, 0 to 1. */
export function drawReward(seed: DrawSeed, probability: number): 0 | 1 {
  const { cohort, promptId, round, agent, rollout } = seed;
  const text = [cohort, promptId, round, agent, rollout].join('\u0000');
  return hashKey(text) / 2 ** 32 < probability ? 1 : 0;
}
