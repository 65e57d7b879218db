import type { Signals } from '../domain/signals.ts';
import { type Outcome, rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/**
 * The score that a language model gave the rollout when it came; nobody is waited for. A judge that failed gives no
 * reward: 0 would say that the answer is bad.
 */
export const llmJudge: RewardMethod = {
  name: 'llm-judge',
  needs: [],
  needsTruth: (cohort) => cohort.options.judge.tellTruth,
  waitsFor: () => [],
  judge: ({ cohort }) =>
    rewardEach({
      // A judge that is told the truth passes it on.
      source: cohort.options.judge.tellTruth ? 'ground-truth' : 'judge',
      outcomeOf: ({ signals }) => judgedReward(signals),
    }),
};

export function judgedReward(signals: Signals | null): Outcome {
  if (signals?.score !== undefined) return { reward: signals.score };
  return { reward: null, reason: signals?.fault ?? 'No judge has scored it: is one configured?' };
}
