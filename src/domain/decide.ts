import { type Cause, type Group, votersOf } from './bucket.ts';

export interface OpenGroup {
  readonly agent: string;
  readonly k: number;
  readonly incarnation: string | null;
  readonly step: number | null;
  readonly now: number;
  readonly deadlineMs: number;
  readonly previous?: Group | null;
}

export function openGroup({
  agent,
  k,
  incarnation,
  step,
  now,
  deadlineMs,
  previous = null,
}: OpenGroup): Group {
  return {
    agent,
    k,
    state: 'open',
    cause: null,
    incarnation,
    step,
    openedAt: now,
    deadlineAt: now + deadlineMs,
    quorumAt: null,
    decidedAt: null,
    rollouts: [],
    basis: null,
    previous,
  };
}

/** Decides an open group with what it has; a decided group stays as it is, for ever. */
export function decideGroup(group: Group, cause: Cause, now: number): Group {
  if (group.state !== 'open') return group;
  const state = cause === 'k' ? 'complete' : group.rollouts.length > 0 ? 'partial' : 'empty';
  return { ...group, state, cause, decidedAt: now };
}

/** Decides the group if it is full, and starts its grace once the quorum is there. */
export function settleArrivals(group: Group, quorum: number | null, now: number): Group {
  if (group.state !== 'open') return group;
  const voters = votersOf(group).length;
  if (voters >= group.k) return decideGroup(group, 'k', now);
  if (quorum !== null && voters >= quorum && group.quorumAt === null) return { ...group, quorumAt: now };
  return group;
}

/** Which clock has run out for an open group at `now`: null when none has. */
export function dueCause(group: Group, graceMs: number, now: number): 'quorum' | 'deadline' | null {
  if (group.state !== 'open') return null;
  if (group.quorumAt !== null && now >= group.quorumAt + graceMs) return 'quorum';
  return now >= group.deadlineAt ? 'deadline' : null;
}

/** When {@link dueCause} will next say something for this open group. */
export function dueAt(group: Group, graceMs: number): number {
  return group.quorumAt === null ? group.deadlineAt : Math.min(group.deadlineAt, group.quorumAt + graceMs);
}
