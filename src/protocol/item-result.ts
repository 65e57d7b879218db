import type { GroupCounts, SubmissionResult } from '../service/submission.ts';

/** What came of one rollout. */
export interface ItemResult {
  /** What stands in for a missing one is taken for it. `null`: no reward; dialects that cannot carry it write 0.0. */
  readonly reward: number | null;
  readonly status: 'scored' | 'unlabeled' | 'expired' | 'skipped' | 'eval';
  /** An answer was found in the response. */
  readonly answered: boolean;
  /** The winner's share of the teacher's vote, 0 to 1; `null` without a label. */
  readonly labelShare: number | null;
  /** Whether the answer matches the ground truth; `null` when none was given. */
  readonly truth: boolean | null;
  readonly waitMs: number;
  /** Rounds between the label and the rollout; 0 is the same round. */
  readonly staleness: number;
  /** Arrived after its group was decided. */
  readonly late: boolean;
  /** What the labels of its group count; null for eval. One object for all rollouts of a group. */
  readonly counts: GroupCounts | null;
}

/** One result per item, in the order of the request. */
export function toItemResults({
  groups,
  waitedMs,
}: Extract<SubmissionResult, { kind: 'decided' }>): ItemResult[] {
  return groups.flatMap((group) =>
    group.rollouts.map((rollout) => ({
      reward: rollout.reward ?? rollout.standIn ?? null,
      // What cannot carry null writes 0: whoever reads it can still tell that it is no reward.
      status: rollout.reward === null && group.status === 'scored' ? 'unlabeled' : group.status,
      answered: rollout.answer !== null,
      // How sure the teacher was says nothing of what it answered.
      labelShare: group.status === 'scored' ? group.labelShare : null,
      truth: rollout.correct,
      waitMs: waitedMs,
      staleness: group.staleness,
      late: rollout.late,
      counts: group.counts,
    })),
  );
}
