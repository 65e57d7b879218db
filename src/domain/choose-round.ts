import type { ArrivalContext, GroupArrival, NewRollout } from './arrival.ts';
import type { Bucket, Group } from './bucket.ts';
import type { AgentName } from './cohort.ts';
import type { PromptState } from './prompt-state.ts';

/**
 * The round that an arrival without one belongs to: which visit of this agent to this prompt it is.
 * In order: the round that already has these rollouts (a retry); the visit that still has room; after a
 * restart the peer's open bucket, else a replay of the last visit; else the next visit, which joins a
 * bucket that already waits for this agent.
 */
export function chooseRound(prompt: PromptState, arrival: GroupArrival, context: ArrivalContext): number {
  if (arrival.round !== null) return arrival.round;
  const { agent, incarnation, step } = context;

  const retried = findRetriedRound(prompt, arrival.rollouts, context);
  if (retried !== null) return retried;

  const visit = prompt.visits.get(agent.name);
  if (visit === undefined) return awaitedRound(prompt, agent.name, 0) ?? firstRound(prompt);

  const group = prompt.rounds.get(visit.round)?.groups.get(agent.name);
  const next = () => awaitedRound(prompt, agent.name, visit.round + 1) ?? visit.round + 1;
  const laterStep = step !== null && visit.step !== null && step > visit.step;

  if (!isNewIncarnation(visit.incarnation, incarnation)) {
    const sameStep = step === null || visit.step === null || step === visit.step;
    const room = group !== undefined && !isClosedByAgent(group) && sameStep;
    return room && roomIn(group, incarnation) >= arrival.rollouts.length ? visit.round : next();
  }
  if (laterStep || group === undefined) return next();
  const bucket = prompt.rounds.get(visit.round);
  if (bucket !== undefined && !isVoteUsed(bucket, group, context.students)) return visit.round;
  return awaitedRound(prompt, agent.name, visit.round + 1) ?? visit.round;
}

/** A restarted trainer names itself anew; one that sends no incarnation never counts as restarted. */
export function isNewIncarnation(known: string | null, sent: string | null): boolean {
  return sent !== null && sent !== known;
}

/** The vote is used once it is decided and a student has rollouts that are scored against it. */
export function isVoteUsed(bucket: Bucket, group: Group, students: readonly AgentName[]): boolean {
  if (group.state === 'open') return false;
  if (group.basis !== null) return true;
  return students.some((student) => (bucket.groups.get(student)?.rollouts.length ?? 0) > 0);
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

/** An agent that comes after the deadline to a prompt it never saw joins the bucket that others opened. */
function firstRound(prompt: PromptState): number {
  return prompt.rounds.size === 0 ? 0 : Math.min(...prompt.rounds.keys());
}

function roomIn(group: Group, incarnation: string | null): number {
  let taken = 0;
  for (const rollout of group.rollouts) {
    if (incarnation === null || rollout.incarnation === incarnation) taken++;
  }
  return group.k - taken;
}

function findRetriedRound(
  prompt: PromptState,
  sent: readonly NewRollout[],
  { agent, incarnation, step }: ArrivalContext,
): number | null {
  const rounds = [...prompt.rounds.keys()].sort((a, b) => b - a);
  for (const round of rounds) {
    const group = prompt.rounds.get(round)?.groups.get(agent.name);
    if (group === undefined || (step !== null && group.step !== null && step !== group.step)) continue;
    const known = sent.some((rollout) =>
      group.rollouts.some(
        (stored) =>
          !isNewIncarnation(stored.incarnation, incarnation) &&
          stored.digest === rollout.digest &&
          (rollout.id === null ? stored.anonymous && stored.holder === null : stored.id === rollout.id),
      ),
    );
    if (known) return round;
  }
  return null;
}
