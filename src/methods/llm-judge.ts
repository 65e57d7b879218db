import { type Group, votersOf } from '../domain/bucket.ts';
import { NOTHING_TO_JUDGE, type Signals } from '../domain/signals.ts';
import { type Outcome, rewardEach } from './each-rollout.ts';
import type { RewardMethod } from './method.ts';

/**
 * The score that a language model gave the rollout when it came; no peer is waited for. A judge that failed gives no
 * reward: 0 would say that the answer is bad. Where a protocol knows no null the mean of the group stands in, which gives the
 * rollout no advantage; for that the whole group has to be there.
 */
export const llmJudge: RewardMethod = {
  name: 'llm-judge',
  needs: [],
  needsTruth: (cohort) => cohort.options.judge.tellTruth,
  waitsFor: () => [],
  waitsForOwn: (cohort, own) =>
    cohort.options.judge.onFailure === 'group-mean' && own.rollouts.some(({ signals }) => hasFailed(signals)),
  judge: ({ cohort, own }) => ({
    ...rewardEach({
      // A judge that is told the truth passes it on.
      source: cohort.options.judge.tellTruth ? 'ground-truth' : 'judge',
      outcomeOf: ({ signals }) => judgedReward(signals),
    }),
    standIn: ({ signals }) =>
      cohort.options.judge.onFailure === 'group-mean' && hasFailed(signals) ? meanScore(own) : 0,
  }),
};

export function judgedReward(signals: Signals | null): Outcome {
  if (signals?.score !== undefined) return { reward: signals.score };
  return { reward: null, reason: signals?.fault ?? 'No judge has scored it: is one configured?' };
}

/** The judge, not the rollout: one that holds nothing to judge would otherwise be worth as much as its group. */
function hasFailed(signals: Signals | null): boolean {
  const { score, fault = NOTHING_TO_JUDGE } = signals ?? {};
  return score === undefined && fault !== NOTHING_TO_JUDGE;
}

/** Of the rollouts that came in time and have a score; 0 where none has. */
function meanScore(own: Group): number {
  const scores = votersOf(own).flatMap(({ signals }) => signals?.score ?? []);
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
