import { type DecidedGroup, votersOf } from '../domain/bucket.ts';
import type { Aggregate, Cohort } from '../domain/cohort.ts';
import { teachersOf } from '../domain/supervision.ts';
import { type Ballot, countLabels, countVotes } from '../domain/vote.ts';
import type { JudgeInput, RewardMethod } from './method.ts';
import { rewardByLabel, unrewarded, withoutAnswers } from './verdicts.ts';

/** Indices of pooled groups are told apart by this stride, which is above any group size. */
const POOL_STRIDE = 1_000_000;

/**
 * Co-RL (arXiv 2608.17253, §3): an agent learns from the label that its peers voted for, each over its
 * own K rollouts. With several teachers the label is the unique plurality of their labels, or the vote
 * over all their rollouts. Teachers that sent nothing are left out; if none did, there is no label.
 */
export const coRl: RewardMethod = {
  name: 'co-rl',
  needsTruth: false,
  waitsFor: teachersOf,
  judge(input) {
    const { cohort, agent } = input;
    if (agent.role === 'teacher') return unrewarded();
    const present = input.teachers.flatMap(({ agent: name, round, group }) =>
      group === null || group.state === 'empty' ? [] : [{ name, round, group }],
    );
    if (present.length === 0) return withoutAnswers(cohort, input.teachers);
    const groups = present.map(({ group }) => group);
    return rewardByLabel({
      cohort,
      vote: aggregateOf(cohort) === 'pooled' ? poolVotes(groups, input) : mergeLabels(groups, input),
      teachers: present.map(({ name }) => name),
      source: 'peer-vote',
      staleness: Math.max(0, ...present.map(({ round }) => input.round - round)),
    });
  },
};

function aggregateOf({ supervision }: Cohort): Aggregate {
  if (supervision.kind === 'graph') return supervision.aggregate;
  return supervision.kind === 'pooled' ? 'pooled' : 'peer-majority';
}

function mergeLabels(groups: readonly DecidedGroup[], { cohort, promptId, round }: JudgeInput) {
  const votes = groups.map((group) => countVotes(votersOf(group), cohort.vote, { promptId, round }));
  const only = votes[0];
  if (only !== undefined && votes.length === 1) return only;
  return countLabels(votes.map(({ label }) => label));
}

function poolVotes(groups: readonly DecidedGroup[], { cohort, promptId, round }: JudgeInput) {
  const ballots: Ballot[] = groups.flatMap((group, position) =>
    votersOf(group).map(({ key, answer, index }) => ({
      key,
      answer,
      index: index === null ? null : position * POOL_STRIDE + index,
    })),
  );
  return countVotes(ballots, cohort.vote, { promptId, round });
}
