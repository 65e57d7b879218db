import { grade } from '../answers/grade.ts';
import type { ExtractionMode } from '../answers/modes.ts';
import { type Bucket, type Group, isDecided, type Truth, votersOf } from '../domain/bucket.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import type { Peer } from '../domain/diagnostics/compat-rates.ts';
import { countRollouts } from '../domain/diagnostics/count-rollouts.ts';
import { countPair, countRound, countVote, type TruthCase } from '../domain/diagnostics/count-votes.ts';
import {
  type AgentCounts,
  mergeAgentCounts,
  NO_AGENT_COUNTS,
  type PairCounts,
  toSummand,
} from '../domain/diagnostics/counters.ts';
import type { Vote } from '../domain/vote.ts';
import { voteOf } from '../methods/ballots.ts';
import { isTrue } from '../methods/ground-truth.ts';
import type { Judgement } from '../methods/method.ts';

/** A bucket as figures are counted of it. */
export interface VotedBucket {
  readonly cohort: Cohort;
  readonly bucket: Bucket;
  /** Of every group that is read: those that are decided. */
  readonly votes: ReadonlyMap<AgentName, Vote>;
  readonly truth: TruthCase | null;
}

/** `early`: an agent whose group is read as it stands, though it may still be open. */
export function readVotes(cohort: Cohort, bucket: Bucket, early: AgentName | null = null): VotedBucket {
  const votes = new Map<AgentName, Vote>();
  for (const [name, group] of bucket.groups) {
    if (isDecided(group) || name === early) votes.set(name, voteOf(group, cohort, bucket));
  }
  return { cohort, bucket, votes, truth: toTruthCase(bucket.truth) };
}

/** What the labels say of one agent's group, if it is read. */
export function countLabels(voted: VotedBucket, agent: Agent, judgement: Judgement): AgentCounts {
  const { votes, truth, bucket } = voted;
  const vote = votes.get(agent.name);
  const group = bucket.groups.get(agent.name);
  if (vote === undefined || group === undefined) return NO_AGENT_COUNTS;
  return {
    ...countVote({ vote, supervision: judgement.label, truth }),
    ...(agent.role === 'learner' && { [judgement.status]: 1, staleness: judgement.staleness }),
    ...countWait(voted, group, judgement),
  };
}

/** {@link countLabels} together with what its rollouts say. */
export function countGroup(voted: VotedBucket, agent: Agent, judgement: Judgement): AgentCounts {
  const group = voted.bucket.groups.get(agent.name);
  const rollouts = (group === undefined ? [] : votersOf(group)).map((rollout) => ({
    answer: rollout.answer,
    reward: judgement.reward(rollout),
    tokens: rollout.tokens,
    truncated: rollout.truncated,
    matches: rollout.key !== null && rollout.key === judgement.label?.key,
  }));
  return mergeAgentCounts(countLabels(voted, agent, judgement), countRollouts(rollouts, voted.truth));
}

/** What all labels say of one agent; nothing until every agent of the cohort is decided. */
export function countAllLabels(
  { cohort, votes }: VotedBucket,
  agent: Agent,
  supervised: boolean,
): AgentCounts {
  const own = votes.get(agent.name);
  if (own === undefined || !cohort.agents.every(({ name }) => votes.has(name))) return NO_AGENT_COUNTS;
  const peers = cohort.agents.filter(({ name }) => name !== agent.name);
  return countRound(
    own.label,
    peers.map(({ name }) => votes.get(name)?.label ?? null),
    supervised,
  );
}

/** What the labels of two agents say of each other; null until both are decided, or when neither has rollouts. */
export function countBoth(voted: VotedBucket, first: AgentName, second: AgentName): PairCounts | null {
  const { votes, truth, cohort, bucket } = voted;
  const [one, other] = [votes.get(first), votes.get(second)];
  if (one === undefined || other === undefined || one.ballots + other.ballots === 0) return null;
  const mode = (bucket.truth?.mode ?? cohort.answers.mode) as ExtractionMode;
  return countPair(one.label, other.label, truth, (answer, by) => grade(by, answer, mode).equal);
}

/** The other agents of the cohort that can be compared with this one so far. */
export function countPeers(voted: VotedBucket, agent: Agent): readonly Peer[] {
  return voted.cohort.agents.flatMap(({ name }) => {
    const counts = name === agent.name ? null : countBoth(voted, agent.name, name);
    return counts === null ? [] : [{ agent: name, counts }];
  });
}

/** How long the group was decided before the last of its teachers was. Under `last-label` nobody waits. */
function countWait(
  { cohort, bucket }: VotedBucket,
  own: Group,
  { teachers }: Judgement,
): Partial<AgentCounts> {
  const since = own.decidedAt;
  if (cohort.barrier.mode === 'last-label' || since === null) return {};
  const others = teachers.filter((name) => name !== own.agent);
  const decidedAt = others.flatMap((name) => bucket.groups.get(name)?.decidedAt ?? []);
  if (decidedAt.length === 0) return {};
  const seconds = toSummand(Math.max(0, ...decidedAt.map((at) => at - since)) / 1000);
  return { waits: 1, waitSum: seconds, waitMax: seconds };
}

/** Each answer is graded once; a program's truth is its tests, which say nothing of a label. */
function toTruthCase(truth: Truth | null): TruthCase | null {
  if (truth === null || truth.mode === 'code') return null;
  const known = new Map<string, boolean>();
  return {
    key: truth.key,
    isRight: (answer) => {
      const right = known.get(answer) ?? isTrue(answer, truth);
      known.set(answer, right);
      return right;
    },
  };
}
