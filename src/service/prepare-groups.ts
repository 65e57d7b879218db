import type { GroupArrival, NewRollout } from '../domain/arrival.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import { isTrue } from '../methods/ground-truth.ts';
import type { Assessor } from './assess.ts';
import { modeOf, type ReadGroupTruth, readGroupTruth, readingOf, readRollout } from './read-rollout.ts';
import { SignalFaults } from './signal-faults.ts';
import {
  type GroupInput,
  type GroupResult,
  hasTests,
  type RolloutResult,
  type SubmissionInput,
} from './submission.ts';
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
  /** Rollouts of evaluation that were held against a truth or tests. */
  readonly graded: { readonly right: number; readonly wrong: number };
  /** Groups whose truth is none to grade by, or does not parse. */
  readonly unreadableTruths: number;
}

interface Sender {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly assessors: readonly Assessor[];
}

/** Extracts the answers of a submission, and asks who has more to say. Afterwards nothing refers to its completions. */
export async function prepareGroups(sender: Sender, input: SubmissionInput): Promise<Prepared> {
  const { cohort } = sender;
  const turn = new Turn();
  const assessed = await assessGroups(sender, input, await readGroups(cohort, input, turn));
  const arrivals: GroupArrival[] = [];
  const groups: Prepared['groups'][number][] = [];
  const counts = { train: 0, eval: 0 };
  let unreadableTruths = 0;
  for (const [position, group] of input.groups.entries()) {
    const rollouts = assessed.groups[position] ?? [];
    counts[group.split] += rollouts.length;
    const read = readGroupTruth(group, modeOf(cohort, group));
    if (read.fault !== null) unreadableTruths++;
    if (group.split === 'eval') {
      groups.push({ kind: 'done', result: gradeEval(cohort, group, read, rollouts) });
      continue;
    }
    groups.push({ kind: 'arrival', arrival: arrivals.length });
    const { pausesMs } = input;
    arrivals.push({
      promptId: group.promptId,
      round: group.round,
      truth: read.truth,
      rollouts,
      ...(pausesMs !== undefined && { pausesMs }),
    });
  }
  return {
    arrivals,
    groups,
    paused: turn.passed || assessed.paused,
    counts: [
      { split: 'train', count: counts.train },
      { split: 'eval', count: counts.eval },
    ],
    graded: countGraded(groups),
    unreadableTruths,
  };
}

function countGraded(groups: Prepared['groups']): Prepared['graded'] {
  const all = groups.flatMap((group) => (group.kind === 'done' ? group.result.rollouts : []));
  const of = (correct: boolean) => all.filter((rollout) => rollout.correct === correct).length;
  return { right: of(true), wrong: of(false) };
}

/** The rollouts of every group, in the order sent. Throws `invalid_signals` with what is wrong with any of them. */
async function readGroups(cohort: Cohort, input: SubmissionInput, turn: Turn): Promise<NewRollout[][]> {
  const groups: NewRollout[][] = [];
  const faults = new SignalFaults(cohort);
  for (const [position, group] of input.groups.entries()) {
    const reading = readingOf(cohort, group);
    const isEval = group.split === 'eval';
    const ids = isEval || input.submissionId === null ? null : `${input.submissionId}/${position}`;
    const rollouts: NewRollout[] = [];
    for (const [place, rollout] of group.rollouts.entries()) {
      if (turn.isOver()) await turn.pass();
      const id = ids === null ? null : `${ids}/${place}`;
      const signals = isEval ? null : faults.read(group, rollout, place);
      rollouts.push(readRollout(rollout, reading, id, signals));
    }
    groups.push(rollouts);
  }
  faults.check();
  return groups;
}

/** Each assessor in turn gets every group that concerns it, all at once. */
async function assessGroups(
  { cohort, agent, assessors }: Sender,
  { groups: sent, carriesNull = true }: SubmissionInput,
  read: readonly (readonly NewRollout[])[],
) {
  let groups = read;
  let paused = false;
  for (const assessor of assessors) {
    const concerned = sent.map((group) => assessor.concerns({ cohort, agent, group }));
    if (!concerned.includes(true)) continue;
    paused = true;
    groups = await Promise.all(
      sent.map((group, position) => {
        const rollouts = groups[position] ?? [];
        return concerned[position]
          ? assessor.assess({ cohort, agent, group, rollouts, carriesNull })
          : rollouts;
      }),
    );
  }
  return { groups, paused };
}

/** Evaluation: graded against the truth at once; it touches no bucket and waits for nobody. */
function gradeEval(
  cohort: Cohort,
  { promptId, code }: GroupInput,
  { truth, fault }: ReadGroupTruth,
  read: readonly NewRollout[],
): GroupResult {
  const isTested = hasTests(code) && read.some(({ signals }) => signals?.score !== undefined);
  const isGraded = isTested || truth !== null;
  const rollouts = read.map(({ id, answer, signals }, place): RolloutResult => {
    const correct = isTested ? passed(signals) : truth === null ? null : isTrue(answer, truth);
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
    rewardSource: isGraded ? 'ground-truth' : 'none',
    staleness: 0,
    reason: isTested ? null : (fault ?? (isGraded ? null : 'No ground truth was sent for this eval prompt.')),
    rollouts,
    counts: null,
  };
}

/** Null where the sandbox could not tell. */
function passed(signals: NewRollout['signals']): boolean | null {
  return signals?.score === undefined ? null : signals.score === 1;
}
