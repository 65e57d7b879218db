import type { GroupResult } from '../../service/submission.ts';
import { type Asker, referenceMetrics } from '../reference-metrics.ts';

/** Keys of `metrics` in every reply; those of the method's reference implementation follow. */
export const METRIC_KEYS = [
  'reward_mean',
  'labeled_fraction',
  'unlabeled_fraction',
  'expired_fraction',
  'skipped_fraction',
  'answered_fraction',
  'label_share_mean',
  'agreement',
  'label_accuracy',
  'answer_accuracy',
  'staleness_max',
  'barrier_wait_s',
  'ema_coefficient',
] as const;

type SubmissionMetrics = Record<(typeof METRIC_KEYS)[number], number | null>;

/**
 * Means over the groups and rollouts of one submission; null where the denominator is 0. An agent gets the same keys in
 * every reply, so that its trainer can log them without asking.
 */
export function summarize(
  asker: Asker,
  groups: readonly GroupResult[],
  waitedMs: number,
): Readonly<Record<string, number | null>> {
  const reference = referenceMetrics(
    asker,
    groups.map(({ counts }) => (counts?.decided ? counts : null)),
  );
  const entries = [...reference].map(([name, { value }]) => [name, value]);
  return { ...summarizeOurs(groups, waitedMs), ...Object.fromEntries(entries) };
}

function summarizeOurs(groups: readonly GroupResult[], waitedMs: number): SubmissionMetrics {
  const rollouts = groups.flatMap((group) => group.rollouts);
  const trained = groups.filter(({ status }) => status !== 'eval');
  const isStatus = (status: GroupResult['status']) => (group: GroupResult) => group.status === status;
  const graded = rollouts.filter(({ correct }) => correct !== null);
  return {
    reward_mean: mean(rollouts.flatMap(({ reward }) => reward ?? [])),
    labeled_fraction: fraction(trained, ({ label }) => label !== null),
    unlabeled_fraction: fraction(trained, isStatus('unlabeled')),
    expired_fraction: fraction(trained, isStatus('expired')),
    skipped_fraction: fraction(trained, isStatus('skipped')),
    answered_fraction: fraction(rollouts, ({ answer }) => answer !== null),
    label_share_mean: mean(trained.flatMap(({ labelShare }) => labelShare ?? [])),
    agreement: mean(trained.flatMap(({ agrees }) => (agrees === null ? [] : Number(agrees)))),
    label_accuracy: mean(
      trained.flatMap(({ labelCorrect }) => (labelCorrect === null ? [] : Number(labelCorrect))),
    ),
    answer_accuracy: fraction(graded, ({ correct }) => correct === true),
    staleness_max: trained.length === 0 ? null : Math.max(...trained.map(({ staleness }) => staleness)),
    barrier_wait_s: waitedMs / 1000,
    ema_coefficient: groups.findLast(({ emaCoefficient }) => emaCoefficient != null)?.emaCoefficient ?? null,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}

function fraction<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
