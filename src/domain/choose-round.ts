import type { ArrivalContext, Relations, TimedArrival } from './arrival.ts';
import { type Bucket, type Group, goneFrom, memberIn } from './bucket.ts';
import type { AgentName } from './cohort.ts';
import { findStored } from './find-stored.ts';
import type { PromptState, Visit } from './prompt-state.ts';

/**
 * The round that an arrival without one belongs to: which visit of this agent to this prompt it is.
 * In order: the round that already has these rollouts (a retry), but for that of an equal group of the same call; the visit that still has room, a
 * straggler's being the one of its step; after a restart the peer's open bucket, else a replay of the
 * last visit; else the next visit, which joins a bucket that already waits for this agent.
 */
export function chooseRound(prompt: PromptState, arrival: TimedArrival, context: ArrivalContext): number {
  if (arrival.round !== null) return arrival.round;
  const { agent, incarnation, step } = context;

  const retried = findRetriedRound(prompt, arrival, context);
  if (retried !== null) return retried;

  const visit = prompt.visits.get(agent.name);
  if (visit === undefined) return awaitedRound(prompt, agent.name, 0) ?? firstRound(prompt);

  const next = () => nextRound(prompt, agent.name, visit.round);
  if (!isNewIncarnation(visit.incarnation, incarnation)) {
    return findOngoingRound(prompt, visit, arrival, context) ?? next();
  }
  const group = prompt.rounds.get(visit.round)?.groups.get(agent.name);
  const laterStep = step !== null && visit.step !== null && step > visit.step;
  if (laterStep || group === undefined) return next();
  const bucket = prompt.rounds.get(visit.round);
  if (bucket !== undefined && !isVoteUsed(bucket, group, context)) return visit.round;
  return awaitedRound(prompt, agent.name, visit.round + 1) ?? visit.round;
}

/** A restarted trainer names itself anew; one that sends no incarnation never counts as restarted. */
export function isNewIncarnation(known: string | null, sent: string | null): boolean {
  return sent !== null && sent !== known;
}

/** The vote is used once it is decided and a student has rollouts that are scored against it. */
export function isVoteUsed(
  bucket: Bucket,
  group: Group,
  context: Pick<ArrivalContext, 'cohort' | 'agent' | 'relationsOf'>,
): boolean {
  if (group.state === 'open') return false;
  if (group.basis !== null) return true;
  const isUsedBy = ({ students }: Relations) =>
    students.some((student) => (bucket.groups.get(student)?.rollouts.length ?? 0) > 0);
  const member = memberIn(bucket, context);
  const relations = (gone?: ReadonlySet<AgentName>) => context.relationsOf(member, bucket.plan, gone);
  const gone = goneFrom(bucket);
  // One that comes back after it had left finds its place taken by who was waited for instead.
  return isUsedBy(relations()) || (gone.size > 0 && isUsedBy(relations(gone)));
}

/** The agent itself said that no more will come for this round. */
export function isClosedByAgent(group: Group): boolean {
  return group.cause === 'skip' || group.cause === 'finish';
}

/** The lowest round from `from` on in which others wait for this agent, which has sent nothing. */
export function awaitedRound(prompt: PromptState, agent: AgentName, from: number): number | null {
  let lowest: number | null = null;
  for (const [round, bucket] of prompt.rounds) {
    if (round < from || (lowest !== null && round > lowest)) continue;
    const group = bucket.groups.get(agent);
    if (group?.state === 'open' && group.rollouts.length === 0) lowest = round;
  }
  return lowest;
}

/** The round of the visit after round `last`: one that waits for the agent, else the first it has sent nothing for. */
export function nextRound(prompt: PromptState, agent: AgentName, last: number): number {
  const awaited = awaitedRound(prompt, agent, last + 1);
  if (awaited !== null) return awaited;
  let round = last + 1;
  while ((prompt.rounds.get(round)?.groups.get(agent)?.rollouts.length ?? 0) > 0) round++;
  return round;
}

/** An agent that comes after the deadline to a prompt it never saw joins the bucket that others opened. */
export function firstRound(prompt: PromptState): number {
  return prompt.rounds.size === 0 ? 0 : Math.min(...prompt.rounds.keys());
}

/** How many more rollouts of this incarnation the group was announced for; negative when too many came. */
export function roomIn(group: Group, incarnation: string | null): number {
  let taken = 0;
  for (const rollout of group.rollouts) {
    if (incarnation === null || rollout.incarnation === incarnation) taken++;
  }
  return group.k - taken;
}

/** The visit that still has room: the latest one, or the one of the step that a straggler comes from. */
function findOngoingRound(
  prompt: PromptState,
  visit: Visit,
  arrival: TimedArrival,
  context: ArrivalContext,
): number | null {
  const { agent, incarnation, step } = context;
  const otherStep = step !== null && visit.step !== null && step !== visit.step;
  const rounds = otherStep ? [...prompt.rounds.keys()].sort((a, b) => a - b) : [visit.round];
  for (const round of rounds) {
    const group = prompt.rounds.get(round)?.groups.get(agent.name);
    if (group === undefined || isClosedByAgent(group)) continue;
    if (otherStep && !isOfStep(group, step)) continue;
    // Another visit of the same call has filled it.
    if (arrival.visit?.taken.has(round)) continue;
    const { known } = compareRollouts(group, arrival, context);
    if (roomIn(group, incarnation) >= arrival.rollouts.length - known) return round;
  }
  return null;
}

/** Whether the group, or late rollouts of another incarnation in it, are of this training step. */
export function isOfStep(group: Group, step: number): boolean {
  return group.step === step || group.rollouts.some((rollout) => rollout.step === step);
}

function findRetriedRound(
  prompt: PromptState,
  arrival: TimedArrival,
  context: ArrivalContext,
): number | null {
  const { left, taken } = arrival.visit ?? { left: 1, taken: null };
  const rounds = [...prompt.rounds.keys()].sort((a, b) => b - a);
  const found: number[] = [];
  for (const round of rounds) {
    const group = prompt.rounds.get(round)?.groups.get(context.agent.name);
    if (taken?.has(round) || group === undefined || !isRetry(group, arrival, context)) continue;
    found.push(round);
    // The latest visits that are equal, in their order: the first of the call was the earliest of them.
    if (found.length === left) break;
  }
  return found.at(-1) ?? null;
}

/**
 * Whether the group has these rollouts already, or some of them and none that contradicts: the next visit
 * may by chance repeat an id together with its text. Requests without ids are repeated whole or not at all.
 */
function isRetry(group: Group, arrival: TimedArrival, context: ArrivalContext): boolean {
  const { known, unlike } = compareRollouts(group, arrival, context);
  const sent = arrival.rollouts;
  const whole = known === sent.length || sent.every(({ id }) => id !== null);
  return known > 0 && unlike === 0 && whole;
}

/** How many of the rollouts sent the group has already, and how many it has with another text or step. */
function compareRollouts(
  group: Group,
  arrival: TimedArrival,
  context: ArrivalContext,
): { readonly known: number; readonly unlike: number } {
  const { step, holder } = context;
  const { rollouts: sent, asking } = arrival;
  const by = { incarnation: context.incarnation ?? group.incarnation, holder, asking };
  const taken = new Set<number>();
  let known = 0;
  let unlike = 0;
  for (const rollout of sent) {
    const at = findStored(group.rollouts, rollout, by, taken);
    const stored = group.rollouts[at];
    if (stored === undefined) continue;
    taken.add(at);
    const otherStep = step !== null && stored.step !== null && step !== stored.step;
    if (stored.digest === rollout.digest && !otherStep) known++;
    else unlike++;
  }
  return { known, unlike };
}
