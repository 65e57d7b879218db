import { grade } from '../answers/grade.ts';
import type { ExtractionMode } from '../answers/modes.ts';
import { type Bucket, type Group, isDecided, votersOf } from '../domain/bucket.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import { countLengths, countRewards, countTruth } from '../domain/diagnostics/count-rollouts.ts';
import {
  countPair,
  countRound,
  countTexts,
  countVote,
  type TruthCase,
} from '../domain/diagnostics/count-votes.ts';
import {
  type AgentCounts,
  type Mutable,
  type PairCounts,
  toSummand,
} from '../domain/diagnostics/counters.ts';
import type { Vote } from '../domain/vote.ts';
import { voteOf } from '../methods/ballots.ts';
import { truthOf } from '../methods/bucket-truth.ts';
import type { Judgement } from '../methods/method.ts';
import { waitsIn } from '../methods/relations.ts';
import type { GroupCounts } from './submission.ts';

/** A bucket as figures are counted of it. */
export interface VotedBucket {
  /** By the settings of the bucket. */
  readonly cohort: Cohort;
  readonly bucket: Bucket;
  /** Of every group that is read: those that are decided. */
  readonly votes: ReadonlyMap<AgentName, Vote>;
  readonly truth: TruthCase | null;
}

/** `early`: an agent whose group is read as it stands, though it may still be open. */
export function readVotes(bucket: Bucket, early: AgentName | null = null): VotedBucket {
  const { settings: cohort } = bucket;
  const votes = new Map<AgentName, Vote>();
  for (const [name, group] of bucket.groups) {
    if (isDecided(group) || name === early) votes.set(name, voteOf(group, cohort, bucket));
  }
  return { cohort, bucket, votes, truth: truthOf(bucket) };
}

/** What the labels say of one agent's group, if it is read. */
export function countLabels(voted: VotedBucket, agent: Agent, judgement: Judgement): Partial<AgentCounts> {
  const { votes, truth, bucket } = voted;
  const vote = votes.get(agent.name);
  const group = bucket.groups.get(agent.name);
  if (vote === undefined || group === undefined) return {};
  const counts: Mutable<Partial<AgentCounts>> = countVote({ vote, supervision: judgement.label, truth });
  if (agent.role === 'learner') {
    counts[judgement.status] = 1;
    counts.staleness = judgement.staleness;
  }
  const seconds = waitOf(voted, agent, group);
  if (seconds === null) return counts;
  counts.waits = 1;
  counts.waitSum = seconds;
  counts.waitMax = seconds;
  return counts;
}

/** What the rollouts of one agent's group say, each in a part of its own. */
export function countVoters(
  { truth }: VotedBucket,
  group: Group,
  judgement: Judgement,
): readonly [rewards: Partial<AgentCounts>, lengths: Partial<AgentCounts>, truths: Partial<AgentCounts>] {
  const rollouts = votersOf(group).map((rollout) => ({
    answer: rollout.answer,
    reward: judgement.reward(rollout),
    tokens: rollout.tokens,
    truncated: rollout.truncated,
    matches: rollout.key !== null && rollout.key === judgement.label?.key,
  }));
  return [countRewards(rollouts), countLengths(rollouts), truth === null ? {} : countTruth(rollouts, truth)];
}

/** What all labels say of one agent; null until every agent of the cohort is decided. */
export function countAllLabels(
  { cohort, votes }: VotedBucket,
  agent: Agent,
  supervised: boolean,
): Partial<AgentCounts> | null {
  const peers: Vote['label'][] = [];
  for (const { name } of cohort.agents) {
    const vote = votes.get(name);
    if (vote === undefined) return null;
    if (name !== agent.name) peers.push(vote.label);
  }
  return countRound(votes.get(agent.name)?.label ?? null, peers, supervised);
}

/** What the labels of two agents say of each other; null until both are decided, or when neither has rollouts. */
export function countBoth(
  voted: VotedBucket,
  first: AgentName,
  second: AgentName,
): Partial<PairCounts> | null {
  const { votes, truth, cohort, bucket } = voted;
  const [one, other] = [votes.get(first), votes.get(second)];
  if (one === undefined || other === undefined || one.ballots + other.ballots === 0) return null;
  const mode = (bucket.truth?.mode ?? cohort.answers.mode) as ExtractionMode;
  return {
    ...countPair(one.label, other.label, truth, (answer, by) => grade(by, answer, mode).equal),
    ...countTexts(digestsOf(bucket, first), digestsOf(bucket, second)),
  };
}

function digestsOf({ groups }: Bucket, agent: AgentName): readonly string[] {
  const group = groups.get(agent);
  return group === undefined ? [] : votersOf(group).map(({ digest }) => digest);
}

/** The same of an agent and every other that is decided, without what takes grading: it is for a reply. */
export function countPeers({ cohort, votes }: VotedBucket, agent: Agent): GroupCounts['peers'] {
  const own = votes.get(agent.name);
  if (own === undefined) return [];
  return cohort.agents.flatMap(({ name }) => {
    const vote = name === agent.name ? undefined : votes.get(name);
    if (vote === undefined) return [];
    return [{ agent: name, counts: countPair(own.label, vote.label, null, () => false) }];
  });
}

/**
 * Seconds that the group was decided before the last that it waits for was; null where it waits for no other, as
 * nobody does under `last-label`.
 */
function waitOf({ cohort, bucket }: VotedBucket, agent: Agent, own: Group): number | null {
  const since = own.decidedAt;
  if (cohort.barrier.mode === 'last-label' || since === null) return null;
  let longest: number | null = null;
  for (const name of waitsIn(bucket, { cohort, agent })) {
    const at = bucket.groups.get(name)?.decidedAt ?? null;
    if (name === agent.name || at === null) continue;
    longest = Math.max(longest ?? 0, at - since);
  }
  return longest === null ? null : toSummand(longest / 1000);
}
