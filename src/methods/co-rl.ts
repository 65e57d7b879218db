import { type DecidedGroup, votersOf } from '../domain/bucket.ts';
import type { AgentName, Aggregate, Cohort } from '../domain/cohort.ts';
import { teachersOf } from '../domain/supervision.ts';
import { type Ballot, countLabels, countVotes } from '../domain/vote.ts';
import { castBallots, voteOf } from './ballots.ts';
import type { JudgeInput, RewardMethod } from './method.ts';
import { rewardByLabel, unrewarded, whyNoLabel, withoutAnswers } from './verdicts.ts';

/** Indices of pooled groups are told apart by this stride, which is above any group size. */
const POOL_STRIDE = 1_000_000;

/**
 * Co-RL (arXiv 2608.17253, §3): an agent learns from the label that its peers voted for, each over its
 * own K rollouts. With several teachers the label is the unique plurality of their labels, or the vote
 * over all their rollouts. Teachers that sent nothing are left out; if none did, there is no label.
 */
export const coRl: RewardMethod = {
  name: 'co-rl',
  needsTruth: () => false,
  needs: [],
  waitsFor: teachersOf,
  judge(input) {
    const { cohort, agent } = input;
    if (agent.role === 'teacher') return unrewarded();
    const present = input.teachers.flatMap(({ agent: name, round, group }) =>
      group === null || group.state === 'empty' ? [] : [{ name, round, group }],
    );
    if (present.length === 0) return withoutAnswers(cohort, input.teachers);
    const groups = present.map(({ group }) => group);
    const teachers = present.map(({ name }) => name);
    const isOneVote = groups.length === 1 || aggregateOf(cohort) === 'pooled';
    return rewardByLabel({
      cohort,
      ...(isOneVote ? voteOver(groups, teachers, input) : mergeLabels(groups, teachers, input)),
      teachers,
      source: 'peer-vote',
      staleness: Math.max(0, ...present.map(({ round }) => input.round - round)),
    });
  },
};

function aggregateOf({ supervision }: Cohort): Aggregate {
  if (supervision.kind === 'graph') return supervision.aggregate;
  return supervision.kind === 'pooled' ? 'pooled' : 'peer-majority';
}

/** The unique plurality of the labels that each group votes for by itself. */
function mergeLabels(
  groups: readonly DecidedGroup[],
  teachers: readonly AgentName[],
  { cohort, promptId, round }: JudgeInput,
) {
  const votes = groups.map((group) => voteOf(group, cohort, { promptId, round }));
  const vote = countLabels(votes.map(({ label }) => label));
  const who = teachers.join(', ');
  return {
    vote,
    whyNone: vote.tied ? `The labels of ${who} are tied.` : `None of ${who} has a label for this prompt.`,
  };
}

/** One vote over the rollouts of all groups, those of the first group being the earlier ones. */
function voteOver(
  groups: readonly DecidedGroup[],
  teachers: readonly AgentName[],
  { cohort, promptId, round }: JudgeInput,
) {
  const ballots: Ballot[] = groups.flatMap((group, position) =>
    votersOf(group).map(({ key, answer, index }) => ({
      key,
      answer,
      index: index === null ? null : position * POOL_STRIDE + index,
    })),
  );
  const vote = countVotes(castBallots(ballots, cohort.answers), cohort.vote, { promptId, round });
  return { vote, whyNone: whyNoLabel(vote, cohort.vote, teachers) };
}
