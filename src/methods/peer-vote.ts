import { type DecidedGroup, votersOf } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import { type Plan, weighedBy } from '../domain/plan.ts';
import {
  type Ballot,
  countLabels,
  countVotes,
  type Scores,
  type TieSeed,
  type Vote,
} from '../domain/vote.ts';
import { castBallots, voteOf } from './ballots.ts';
import { harmonicScores } from './extensions/harmonic-vote.ts';
import { labelPosteriors } from './extensions/log-odds.ts';
import { selfConsistencyScores } from './extensions/self-consistency-vote.ts';
import { sharesOf } from './extensions/shares.ts';
import { whyNoLabel } from './verdicts.ts';

/** A label that several groups may have made. */
export interface PeerVote {
  readonly vote: Pick<Vote, 'label' | 'share'>;
  /** The vote over rollouts, where it was one. */
  readonly rollouts: Vote | null;
  /** Why there is no label, as a sentence; only meant where there is none. */
  readonly whyNone: string;
}

interface Voters {
  readonly cohort: Cohort;
  readonly seed: TieSeed;
  readonly plan: Plan | null;
  readonly groups: readonly DecidedGroup[];
  /** Their agents, in the same order. */
  readonly names: readonly AgentName[];
}

/** Indices of pooled groups are told apart by this stride, which is above any group size. */
const POOL_STRIDE = 1_000_000;

/** The unique plurality of the labels that each group votes for by itself, or the one that is most probably right. */
export function mergeLabels({ cohort, seed, groups, names, plan }: Voters): PeerVote {
  const labels = groups.map((group) => voteOf(group, cohort, seed).label);
  const vote = countLabels(labels, reliabilityScores(cohort, labels, names, plan));
  const who = names.join(', ');
  const whyNone = vote.tied
    ? `The labels of ${who} are tied.`
    : `None of ${who} has a label for this prompt.`;
  return { vote, rollouts: null, whyNone };
}

/** Null: every label counts alike, as until the cohort has a plan for all these agents. */
function reliabilityScores(
  { weighting, reliability: { classes } }: Cohort,
  labels: readonly Vote['label'][],
  names: readonly AgentName[],
  plan: Plan | null,
): Scores | null {
  if (weighting !== 'dawid-skene') return null;
  const weighed = names.flatMap((name, at) => {
    return weighedBy(plan, name, labels[at]?.key ?? null) ?? [];
  });
  return weighed.length < names.length ? null : labelPosteriors(weighed, classes);
}

/** One vote over the rollouts of all groups, those of the first group being the earlier ones. */
export function poolRollouts({ cohort, seed, groups, names }: Voters): PeerVote {
  const ballots: Ballot[] = groups.flatMap((group, position) =>
    votersOf(group).map(({ key, answer, index }) => ({
      key,
      answer,
      index: index === null ? null : position * POOL_STRIDE + index,
    })),
  );
  const cast = castBallots(ballots, cohort.answers);
  const scores = groups.length > 1 ? scoresOf(cohort, seed, groups, cast) : null;
  const vote = countVotes(cast, cohort.vote, seed, scores);
  const isVetoed = scores !== null && vote.votes > 0 && vote.share === 0;
  const whyNone = isVetoed
    ? `No answer was given by all of ${names.join(', ')}.`
    : whyNoLabel(vote, cohort.vote, names);
  return { vote, rollouts: vote, whyNone };
}

/** Null: every rollout counts alike. */
function scoresOf(
  cohort: Cohort,
  seed: TieSeed,
  groups: readonly DecidedGroup[],
  cast: readonly Ballot[],
): Scores | null {
  if (cohort.weighting === 'none') return null;
  let from = 0;
  const votes = groups.map((group) => {
    const own = cast.slice(from, from + votersOf(group).length);
    from += own.length;
    return countVotes(own, cohort.vote, seed);
  });
  switch (cohort.weighting) {
    case 'self-consistency':
      return selfConsistencyScores(votes);
    case 'harmonic':
      return harmonicScores(votes.map(sharesOf));
    case 'dawid-skene':
      // Weighs labels, not rollouts.
      return null;
  }
}
