import { type Bucket, type Group, isDecided, votersOf } from '../domain/bucket.ts';
import type { Decision } from '../domain/close.ts';
import type { Agent, AgentName, Member } from '../domain/cohort.ts';
import { type PairCounts, toSummand } from '../domain/diagnostics/counters.ts';
import type { Judgement } from '../methods/method.ts';
import {
  countAllLabels,
  countBoth,
  countLabels,
  countVoters,
  readVotes,
  type VotedBucket,
} from './count-group.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { judgeGroup, readiness } from './judge-groups.ts';
import type { ByChance } from './recent-labels.ts';
import { settledPairs } from './settled-pairs.ts';
import type { PairOutcome, Telemetry } from './telemetry.ts';

/** Who is told of a decision. */
export interface Observers {
  readonly telemetry: Telemetry;
  readonly diagnostics: DiagnosticsLog;
}

/**
 * Counts what a decision completed. A group is counted by the decision that was the last one missing for
 * it, and every store hands each decision to one caller, so nothing is counted twice across replicas. An agent that the
 * settings of the bucket do not know, since it came to the cohort later, is paid in it and not counted. `begun`: the agent
 * whose first rollouts came with it, which may make votes final.
 */
export function observeDecision(
  { bucket, decided }: Decision,
  observers: Observers,
  begun: AgentName | null = null,
): void {
  if (decided.length === 0 && begun === null) return;
  const { settings: cohort } = bucket;
  const fresh = new Set(decided);
  const pairs = settledPairs(bucket, { decided: fresh, begun });
  if (decided.length === 0 && pairs.length === 0) return;
  for (const name of decided) {
    const group = bucket.groups.get(name);
    if (group === undefined || group.cause === null) continue;
    const { state, cause } = group;
    observers.telemetry.groupClosed({ cohort: cohort.name, agent: name, state, cause });
  }
  const voted = readVotes(bucket);
  for (const pair of pairs) comparePair(voted, pair, observers);
  if (decided.length === 0) return;
  for (const agent of cohort.agents) {
    const group = bucket.groups.get(agent.name);
    if (group === undefined || !voted.votes.has(agent.name)) continue;
    if (group.rollouts.length === 0) continue;
    const judgement = judgeGroup(bucket, { cohort, agent });
    if (judgement === null) continue;
    if (isSettledBy(bucket, { cohort, agent }, fresh)) settle(voted, agent, group, judgement, observers);
    compareAll(voted, agent, group, judgement, observers);
  }
  for (const name of decided) noteLabel(voted, name, observers);
}

/** After the pairs were compared: a label is no chance of its own. */
function noteLabel({ cohort, bucket, votes }: VotedBucket, agent: AgentName, observers: Observers): void {
  const label = votes.get(agent)?.label ?? null;
  if (label === null) return;
  const { telemetry, diagnostics } = observers;
  const diversity = diagnostics.recent.note(cohort.name, agent, bucket.promptId, label.key);
  if (diversity === null) return;
  telemetry.labelsLookedAt({ cohort: cohort.name, agent, ...diversity });
  const counts = {
    labelLooks: 1,
    commonestShares: toSummand(diversity.commonest),
    distinctShares: toSummand(diversity.distinct),
  };
  diagnostics.add(cohort.name, bucket.groups.get(agent)?.step ?? null, { kind: 'agent', agent, counts });
}

function comparePair(
  voted: VotedBucket,
  [name, peer]: readonly [AgentName, AgentName],
  { telemetry, diagnostics }: Observers,
): void {
  const { cohort, bucket } = voted;
  const counts = countBoth(voted, name, peer);
  if (counts === null) return;
  const step = bucket.groups.get(name)?.step ?? bucket.groups.get(peer)?.step ?? null;
  const chance = chanceOf(voted, name, peer, diagnostics);
  diagnostics.add(cohort.name, step, {
    kind: 'pair',
    first: name,
    second: peer,
    counts: { ...counts, chanceCompared: chance.compared, chanceSame: chance.same },
  });
  const outcome = outcomeOf(counts);
  if (outcome !== null) telemetry.pairGraded({ cohort: cohort.name, agent: name, peer, outcome });
  if (counts.bothLabeled !== 1) return;
  telemetry.pairCompared({ cohort: cohort.name, agent: name, peer, agree: counts.same === 1, chance });
}

/** Each label against what the other agent said of other prompts lately. */
function chanceOf(
  { cohort, bucket, votes }: VotedBucket,
  first: AgentName,
  second: AgentName,
  { recent }: DiagnosticsLog,
): ByChance {
  const [one, other] = [votes.get(first)?.label, votes.get(second)?.label];
  if (one == null || other == null) return { compared: 0, same: 0 };
  const there = recent.chance(cohort.name, second, bucket.promptId, one.key);
  const back = recent.chance(cohort.name, first, bucket.promptId, other.key);
  return { compared: there.compared + back.compared, same: there.same + back.same };
}

/** Null without a ground truth. */
function outcomeOf(counts: Partial<PairCounts>): PairOutcome | null {
  if (counts.truths !== 1) return null;
  if (counts.bothRight === 1) return 'both_right';
  if (counts.firstRight === 1) return 'agent_right';
  if (counts.secondRight === 1) return 'peer_right';
  return counts.wrongSame === 1 ? 'both_wrong_same' : 'both_wrong';
}

/** The agent's group and all it waits for are decided, and one of them just now. */
function isSettledBy(bucket: Bucket, { cohort, agent }: Member, fresh: ReadonlySet<string>): boolean {
  const group = bucket.groups.get(agent.name);
  if (!isDecided(group)) return false;
  const ready = readiness(bucket, { cohort, agent });
  if (ready.kind === 'waiting') return false;
  if (cohort.barrier.mode === 'last-label') return fresh.has(agent.name);
  return fresh.has(agent.name) || ready.teachers.some((teacher) => fresh.has(teacher.agent));
}

function settle(
  voted: VotedBucket,
  agent: Agent,
  group: Group,
  judgement: Judgement,
  { telemetry, diagnostics }: Observers,
): void {
  const { cohort } = voted;
  const labels = countLabels(voted, agent, judgement);
  const [rewards, lengths, truths] = countVoters(voted, group, judgement);
  for (const counts of [labels, rewards, lengths, truths]) {
    diagnostics.add(cohort.name, group.step, { kind: 'agent', agent: agent.name, counts });
  }
  telemetry.groupSettled({
    cohort: cohort.name,
    agent: agent.name,
    status: judgement.status,
    rewards: votersOf(group).flatMap((rollout) => judgement.reward(rollout) ?? []),
    rollouts: labels.rollouts ?? 0,
    answered: labels.answered ?? 0,
    truncated: lengths.truncated ?? 0,
    tokens: { sum: lengths.lengthSum ?? 0, count: lengths.lengths ?? 0 },
    labeled: labels.labeled === 1,
    labelCorrect: labels.truthLabels === 1 ? labels.labelHits === 1 : null,
    usedLabelCorrect: labels.supervisedTruths === 1 ? labels.supervisionRight === 1 : null,
    tied: labels.tiedGroups === 1,
    unanimous: labels.uniformGroups === 1,
  });
}

/** By the decision that was the last one missing in the bucket: it is there once, so this counts once. */
function compareAll(
  voted: VotedBucket,
  agent: Agent,
  group: Group,
  judgement: Judgement,
  { diagnostics }: Observers,
): void {
  const counts = countAllLabels(voted, agent, judgement.label !== null);
  if (counts === null) return;
  diagnostics.add(voted.cohort.name, group.step, { kind: 'agent', agent: agent.name, counts });
}
