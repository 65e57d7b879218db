import { setImmediate } from 'node:timers/promises';
import type { GroupArrival } from '../domain/arrival.ts';
import type { Cohort } from '../domain/cohort.ts';
import { isTrue } from '../methods/ground-truth.ts';
import { modeOf, readRollout, readTruth } from './read-rollout.ts';
import type { GroupInput, GroupResult, RolloutResult, SubmissionInput } from './submission.ts';

export interface Prepared {
  /** What goes to the store. */
  readonly arrivals: readonly GroupArrival[];
  /** Every group in the order sent: which arrival it is, or its finished eval result. */
  readonly groups: readonly (
    | { readonly kind: 'arrival'; readonly arrival: number }
    | { readonly kind: 'done'; readonly result: GroupResult }
  )[];
  readonly counts: readonly { readonly split: 'train' | 'eval'; readonly count: number }[];
}

/** Reading answers is the one long computation of a request: others get their turn in between. */
const SLICE_MS = 5;

/** Extracts the answers of a submission. Afterwards nothing refers to its completions. */
export async function prepareGroups(cohort: Cohort, input: SubmissionInput): Promise<Prepared> {
  const arrivals: GroupArrival[] = [];
  const groups: Prepared['groups'][number][] = [];
  const counts = { train: 0, eval: 0 };
  let sliceStart = performance.now();
  for (const [position, group] of input.groups.entries()) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await setImmediate();
      sliceStart = performance.now();
    }
    counts[group.split] += group.rollouts.length;
    if (group.split === 'eval') {
      groups.push({ kind: 'done', result: gradeEval(cohort, group) });
      continue;
    }
    groups.push({ kind: 'arrival', arrival: arrivals.length });
    arrivals.push(toArrival(cohort, group, input.submissionId, position));
  }
  return {
    arrivals,
    groups,
    counts: [
      { split: 'train', count: counts.train },
      { split: 'eval', count: counts.eval },
    ],
  };
}

function toArrival(
  cohort: Cohort,
  group: GroupInput,
  submissionId: string | null,
  position: number,
): GroupArrival {
  const mode = modeOf(cohort, group);
  return {
    promptId: group.promptId,
    round: group.round,
    truth: readTruth(group, mode),
    rollouts: group.rollouts.map((rollout, place) => {
      const fallback = submissionId === null ? null : `${submissionId}/${position}/${place}`;
      return readRollout(rollout, mode, fallback);
    }),
  };
}

/** Evaluation: graded against the truth at once; it touches no bucket and waits for nobody. */
function gradeEval(cohort: Cohort, group: GroupInput): GroupResult {
  const mode = modeOf(cohort, group);
  const truth = readTruth(group, mode);
  const rollouts = group.rollouts.map((input, place): RolloutResult => {
    const { id, answer } = readRollout(input, mode, String(place));
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
    promptId: group.promptId,
    round: null,
    status: 'eval',
    label: truth?.text ?? null,
    labelShare: null,
    labelCorrect: null,
    teachers: [],
    rewardSource: truth === null ? 'none' : 'ground-truth',
    staleness: 0,
    reason: truth === null ? 'No ground truth was sent for this eval prompt.' : null,
    rollouts,
  };
}
