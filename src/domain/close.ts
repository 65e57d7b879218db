import { type Bucket, type Cause, emptyBucket, withGroup } from './bucket.ts';
import {
  awaitedRound,
  firstRound,
  isClosedByAgent,
  isNewIncarnation,
  isOfStep,
  nextRound,
  roomIn,
} from './choose-round.ts';
import type { AgentName, Member } from './cohort.ts';
import { decideGroup, openGroup } from './decide.ts';
import { type PromptState, withBucket, withRoomFor, withVisit } from './prompt-state.ts';

/** A change that decided groups: the bucket after it, and which of its groups it decided. */
export interface Decision {
  readonly bucket: Bucket;
  readonly decided: readonly AgentName[];
}

export interface Closed {
  readonly prompt: PromptState;
  readonly decision: Decision | null;
}

/** Decides one agent's group of one round, if it is open. */
export function closeRound(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  cause: Cause,
  now: number,
): Closed {
  const bucket = prompt.rounds.get(round);
  const group = bucket?.groups.get(agent);
  if (bucket === undefined || group?.state !== 'open') return { prompt, decision: null };
  // After it was opened, so that it is told from a group that was opened when its agent had left already.
  const at = cause === 'finish' ? Math.max(now, group.openedAt + 1) : now;
  const after = withGroup(bucket, decideGroup(group, cause, at));
  return { prompt: withBucket(prompt, after, [agent]), decision: { bucket: after, decided: [agent] } };
}

/**
 * Decides one agent's group that has stopped at `size` rollouts, as its quorum would: nothing more comes for it. One that
 * has got more since, or that is decided, stays as it is.
 */
export function endShort(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  size: number,
  now: number,
): Closed {
  const group = prompt.rounds.get(round)?.groups.get(agent);
  if (group === undefined || group.rollouts.length !== size) return { prompt, decision: null };
  return closeRound(prompt, round, agent, 'quorum', now);
}

export interface Skip {
  readonly promptId: string;
  /** Null: the visit that is going on, else the next one. */
  readonly round: number | null;
  readonly step: number | null;
}

/** Who skips. `incarnation` is the latest that spoke for the agent, null if none has. */
export interface Skipper extends Member {
  readonly incarnation: string | null;
}

/**
 * The agent will send no (more) rollouts for a prompt: its group is decided with what it has. Asking
 * twice for the same visit is the same as once; a second visit is told by `round` or `step`, or by
 * someone waiting for it.
 */
export function skipPrompt(
  known: PromptState,
  skip: Skip,
  skipper: Skipper,
  now: number,
): Closed & { readonly round: number } {
  const { cohort, agent, incarnation } = skipper;
  const { deadlineMs } = cohort.barrier;
  const round = skip.round ?? skippedRound(known, skip.step, agent.name, incarnation);
  const prompt = withRoomFor(known, round);
  // Nobody can wait for what may not be opened.
  if (prompt === null) return { prompt: known, decision: null, round };
  const bucket = prompt.rounds.get(round) ?? emptyBucket(prompt.promptId, round, cohort);
  const opened = bucket.groups.has(agent.name)
    ? bucket
    : withGroup(
        bucket,
        openGroup({ agent: agent.name, k: agent.k, incarnation, step: skip.step, now, deadlineMs }),
      );
  const visited = withVisit(withBucket(prompt, opened, []), agent.name, {
    round,
    incarnation,
    step: skip.step ?? opened.groups.get(agent.name)?.step ?? null,
  });
  return { ...closeRound(visited, round, agent.name, 'skip', now), round };
}

function skippedRound(
  prompt: PromptState,
  step: number | null,
  agent: AgentName,
  incarnation: string | null,
): number {
  const visit = prompt.visits.get(agent);
  if (visit === undefined) return awaitedRound(prompt, agent, 0) ?? firstRound(prompt);
  if (step !== null) {
    if (step === visit.step) return visit.round;
    for (const [round, { groups }] of prompt.rounds) {
      const group = groups.get(agent);
      if (group !== undefined && isOfStep(group, step)) return round;
    }
  }
  const otherStep = step !== null && visit.step !== null;
  const group = prompt.rounds.get(visit.round)?.groups.get(agent);
  if (group !== undefined && !otherStep) {
    const ongoing = !isClosedByAgent(group) && roomIn(group, visit.incarnation) > 0;
    if (ongoing) return visit.round;
    const repeated = isClosedByAgent(group) || isNewIncarnation(visit.incarnation, incarnation);
    if (repeated) return awaitedRound(prompt, agent, visit.round + 1) ?? visit.round;
  }
  return nextRound(prompt, agent, visit.round);
}
