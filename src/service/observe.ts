import { type Bucket, type Group, isDecided, votersOf } from '../domain/bucket.ts';
import type { Decision } from '../domain/close.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import type { Vote } from '../domain/vote.ts';
import { voteOf } from '../methods/ballots.ts';
import { isTrue } from '../methods/ground-truth.ts';
import { judgeGroup, readiness } from './judge-groups.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * Counts what a decision completed. A group is counted by the decision that was the last one missing for
 * it, and every store hands each decision to one caller, so nothing is counted twice across replicas.
 */
export function observeDecision(cohort: Cohort, { bucket, decided }: Decision, telemetry: Telemetry): void {
  if (decided.length === 0) return;
  const fresh = new Set(decided);
  for (const name of decided) {
    const group = bucket.groups.get(name);
    if (group === undefined || group.cause === null) continue;
    telemetry.groupClosed({ cohort: cohort.name, agent: name, state: group.state, cause: group.cause });
  }
  const votes = new Map<string, Vote>();
  for (const [name, group] of bucket.groups) {
    if (isDecided(group)) votes.set(name, voteOf(group, cohort, bucket));
  }
  for (const agent of cohort.agents) {
    const group = bucket.groups.get(agent.name);
    const vote = votes.get(agent.name);
    if (group === undefined || vote === undefined) continue;
    comparePairs(cohort, agent, votes, fresh, telemetry);
    if (isSettledBy(cohort, agent, bucket, fresh)) settle(cohort, agent, bucket, group, vote, telemetry);
  }
}

function comparePairs(
  cohort: Cohort,
  agent: Agent,
  votes: ReadonlyMap<string, Vote>,
  fresh: ReadonlySet<string>,
  telemetry: Telemetry,
): void {
  const own = votes.get(agent.name)?.label;
  const later = cohort.agents.slice(cohort.agents.indexOf(agent) + 1);
  for (const peer of later) {
    const other = votes.get(peer.name)?.label;
    if (own == null || other == null) continue;
    if (!fresh.has(agent.name) && !fresh.has(peer.name)) continue;
    const agree = own.key === other.key;
    telemetry.pairCompared({ cohort: cohort.name, agent: agent.name, peer: peer.name, agree });
  }
}

/** The agent's group and all it waits for are decided, and one of them just now. */
function isSettledBy(cohort: Cohort, agent: Agent, bucket: Bucket, fresh: ReadonlySet<string>): boolean {
  const group = bucket.groups.get(agent.name);
  if (!isDecided(group) || group.rollouts.length === 0) return false;
  const ready = readiness(cohort, agent, bucket);
  if (ready.kind === 'waiting') return false;
  if (cohort.barrier.mode === 'last-label') return fresh.has(agent.name);
  return fresh.has(agent.name) || ready.teachers.some((teacher) => fresh.has(teacher.agent));
}

function settle(
  cohort: Cohort,
  agent: Agent,
  bucket: Bucket,
  group: Group,
  vote: Vote,
  telemetry: Telemetry,
): void {
  const judgement = judgeGroup(cohort, agent, bucket);
  if (judgement === null) return;
  const voters = votersOf(group);
  const lengths = voters.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]));
  telemetry.groupSettled({
    cohort: cohort.name,
    agent: agent.name,
    status: judgement.status,
    rewards: voters.flatMap((rollout) => judgement.reward(rollout) ?? []),
    rollouts: voters.length,
    answered: vote.votes,
    truncated: voters.filter(({ truncated }) => truncated).length,
    tokens: { sum: lengths.reduce((a, b) => a + b, 0), count: lengths.length },
    labeled: vote.label !== null,
    labelCorrect:
      vote.label === null || bucket.truth === null ? null : isTrue(vote.label.answer, bucket.truth),
    tied: vote.tied,
    unanimous: vote.clusters.length === 1 && vote.votes === vote.ballots,
  });
}
