import type { Rollout } from '../domain/bucket.ts';
import type { AgentName } from '../domain/cohort.ts';
import type { RewardSource } from '../domain/reward-source.ts';
import type { Judgement } from './method.ts';

/** The reward of one rollout, or a sentence that says why it has none. */
export type Outcome = { readonly reward: number } | { readonly reward: null; readonly reason: string };

interface EachRollout {
  readonly source: RewardSource;
  readonly teachers?: readonly AgentName[];
  /** Must depend on nothing that may still change: a rollout may be asked about early, late and again. */
  readonly outcomeOf: (rollout: Rollout) => Outcome;
}

/** A judgement without a label: every rollout is rewarded by itself. */
export function rewardEach({ source, teachers = [], outcomeOf }: EachRollout): Judgement {
  return {
    status: 'scored',
    label: null,
    share: null,
    teachers,
    source,
    staleness: 0,
    reason: null,
    reward: (rollout) => outcomeOf(rollout).reward,
    reasonOf: (rollout) => {
      const outcome = outcomeOf(rollout);
      return outcome.reward === null ? outcome.reason : null;
    },
  };
}
