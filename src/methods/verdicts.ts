import { grade } from '../answers/grade.ts';
import type { Rollout } from '../domain/bucket.ts';
import type { AgentName, Cohort, VoteRules } from '../domain/cohort.ts';
import { countNoun } from '../domain/count-noun.ts';
import type { RewardSource } from '../domain/reward-source.ts';
import type { Vote } from '../domain/vote.ts';
import type { Judgement, TeacherGroup } from './method.ts';

type Label = NonNullable<Vote['label']>;

interface LabelVerdict {
  readonly cohort: Cohort;
  readonly vote: Pick<Vote, 'label' | 'share'>;
  /** Why the vote gave no label, as a sentence; only read where it gave none. */
  readonly whyNone: string;
  readonly teachers: readonly AgentName[];
  readonly source: RewardSource;
  readonly staleness: number;
}

/** 1 for every rollout whose answer has the label's key, else 0; or unlabeled, the same for all. */
export function rewardByLabel(verdict: LabelVerdict): Judgement {
  const { cohort, vote, teachers, source, staleness } = verdict;
  const { label } = vote;
  if (label === null) return unlabeled(verdict);
  return {
    status: 'scored',
    label,
    share: vote.share,
    teachers,
    source,
    staleness,
    reason: null,
    reward: (rollout) => (matches(rollout, label, cohort) ? 1 : 0),
  };
}

/**
 * Key equality: the relation that the votes were counted by. An abstention matches nothing. Only the modes that
 * reproduce the Co-RL reference pay by its grader, which is more lenient than its vote.
 */
function matches({ key, answer }: Rollout, label: Label, { vote, answers }: Cohort): boolean {
  if (key === null) return vote.allowEmptyVote && label.key === '';
  if (key === label.key) return true;
  if (answers.mode !== 'qwen' && answers.mode !== 'vlm') return false;
  return grade(answer, label.answer, answers.mode).equal;
}

/** The same judgement, had its label not been good enough for a reward. */
export function withoutLabel(judgement: Judgement, cohort: Cohort, reason: string): Judgement {
  return {
    ...judgement,
    status: 'unlabeled',
    label: null,
    source: 'none',
    reason,
    reward: () => cohort.unlabeledReward,
  };
}

function unlabeled({ cohort, vote, whyNone, teachers, staleness }: LabelVerdict): Judgement {
  return {
    status: 'unlabeled',
    label: null,
    share: vote.share,
    teachers,
    source: 'none',
    staleness,
    reason: whyNone,
    reward: () => cohort.unlabeledReward,
  };
}

/** What kept a vote over rollouts of `teachers` from giving a label, as a sentence. */
export function whyNoLabel(vote: Vote, { threshold, minVotes }: VoteRules, teachers: readonly AgentName[]) {
  const who = teachers.join(', ');
  if (vote.votes === 0) return `None of the answers of ${who} could be read.`;
  if (vote.votes < minVotes) {
    return `Only ${vote.votes} of the answers of ${who} could be read, and a label needs ${minVotes}.`;
  }
  if (vote.share < threshold) {
    return `The top answer of ${who} has ${percent(vote.share)} of the votes, and a label needs ${percent(threshold)}.`;
  }
  return `The votes of ${who} are tied.`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/**
 * No teacher has any answer for this prompt: `skipped` when all of them said so themselves, `expired` when
 * one simply never came, `unlabeled` when `last-label` has nothing recent yet. Never a self-vote.
 */
export function withoutAnswers(cohort: Cohort, teachers: readonly TeacherGroup[]): Judgement {
  const names = teachers.map(({ agent }) => agent);
  const who = names.join(', ');
  const base = {
    label: null,
    share: null,
    teachers: [],
    source: 'none',
    staleness: 0,
    reward: () => cohort.unlabeledReward,
  } as const;
  if (teachers.some(({ group }) => group === null)) {
    const reason = `${who} has no label for this prompt from the last ${countNoun(cohort.barrier.maxStaleness, 'round')}.`;
    return { ...base, status: 'unlabeled', reason };
  }
  const absent = teachers.filter(({ group }) => group?.cause === 'deadline').map(({ agent }) => agent);
  if (absent.length > 0) {
    const reason = `${absent.join(', ')} sent no rollouts for this prompt before its deadline.`;
    return { ...base, status: 'expired', reason };
  }
  return { ...base, status: 'skipped', reason: `${who} skipped this prompt or has finished.` };
}

/** Agents of role `teacher` vote and are not scored. */
export function unrewarded(): Judgement {
  return {
    status: 'scored',
    label: null,
    share: null,
    teachers: [],
    source: 'none',
    staleness: 0,
    reason: 'This agent is a teacher: it votes and is not rewarded.',
    reward: () => null,
  };
}
