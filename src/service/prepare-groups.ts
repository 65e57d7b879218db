import type { GroupArrival, NewRollout } from '../domain/arrival.ts';
import type { Truth } from '../domain/bucket.ts';
import type { Cohort } from '../domain/cohort.ts';
import { isTrue } from '../methods/ground-truth.ts';
import { readingOf, readRollout, readTruth } from './read-rollout.ts';
import type { GroupResult, RolloutResult, SubmissionInput } from './submission.ts';
import { Turn } from './turn.ts';

export interface Prepared {
  /** What goes to the store. */
  readonly arrivals: readonly GroupArrival[];
  /** Every group in the order sent: which arrival it is, or its finished eval result. */
  readonly groups: readonly (
    | { readonly kind: 'arrival'; readonly arrival: number }
    | { readonly kind: 'done'; readonly result: GroupResult }
  )[];
  /** Other requests had their turn while the answers were read. */
  readonly paused: boolean;
  readonly counts: readonly { readonly split: 'train' | 'eval'; readonly count: number }[];
}

/** Extracts the answers of a submission. Afterwards nothing refers to its completions. */
export async function prepareGroups(cohort: Cohort, input: SubmissionInput): Promise<Prepared> {
  const arrivals: GroupArrival[] = [];
  const groups: Prepared['groups'][number][] = [];
  const counts = { train: 0, eval: 0 };
  const turn = new Turn();
  for (const [position, group] of input.groups.entries()) {
    const reading = readingOf(cohort, group);
    const isEval = group.split === 'eval';
    const ids = isEval || input.submissionId === null ? null : `${input.submissionId}/${position}`;
    const rollouts: NewRollout[] = [];
    for (const [place, rollout] of group.rollouts.entries()) {
      if (turn.isOver()) await turn.pass();
      rollouts.push(readRollout(rollout, reading, ids === null ? null : `${ids}/${place}`));
    }
    counts[group.split] += rollouts.length;
    const truth = readTruth(group, reading.mode);
    if (isEval) {
      groups.push({ kind: 'done', result: gradeEval(cohort, group.promptId, truth, rollouts) });
      continue;
    }
    groups.push({ kind: 'arrival', arrival: arrivals.length });
    arrivals.push({ promptId: group.promptId, round: group.round, truth, rollouts });
  }
  return {
    arrivals,
    groups,
    paused: turn.passed,
    counts: [
      { split: 'train', count: counts.train },
      { split: 'eval', count: counts.eval },
    ],
  };
}

/** Evaluation: graded against the truth at once; it touches no bucket and waits for nobody. */
function gradeEval(
  cohort: Cohort,
  promptId: string,
  truth: Truth | null,
  read: readonly NewRollout[],
): GroupResult {
  const rollouts = read.map(({ id, answer }, place): RolloutResult => {
    const correct = truth === null ? null : isTrue(answer, truth);
    return {
      id: id ?? String(place),
      reward: correct === null ? cohort.unlabeledReward : correct ? 1 : 0,
      answer,
      correct,
      late: false,
    };
  });
  return {
    promptId,
    round: null,
    status: 'eval',
    label: truth?.text ?? null,
    labelShare: null,
    labelCorrect: null,
    agrees: null,
    teachers: [],
    rewardSource: truth === null ? 'none' : 'ground-truth',
    staleness: 0,
    reason: truth === null ? 'No ground truth was sent for this eval prompt.' : null,
    rollouts,
  };
}
