import { type Bucket, type Cause, type Group, isOpen, withGroup } from './bucket.ts';
import type { Decision } from './close.ts';
import type { Cohort } from './cohort.ts';
import { decideGroup, dueAt, dueCause } from './decide.ts';
import { type PromptState, withBucket } from './prompt-state.ts';

/** A prompt as a store keeps it: its state, and what its clocks run from. Immutable. */
export interface KeptPrompt {
  readonly state: PromptState;
  /** Milliseconds of the last change of each round. */
  readonly touchedAt: ReadonlyMap<number, number>;
  /** Milliseconds of the last change of any. */
  readonly usedAt: number;
}

/** What the clocks of a prompt depend on. */
export type Clocks = Pick<Cohort, 'barrier' | 'retentionMs' | 'promptRetentionMs'>;

/** Puts a new state in place after a change of `round`, from which its retention counts anew. */
export function touchRound(
  kept: KeptPrompt | null,
  state: PromptState,
  round: number,
  now: number,
): KeptPrompt {
  const touchedAt = new Map(kept?.touchedAt).set(round, now);
  // A round that made room for another has gone from the state.
  if (touchedAt.size > state.rounds.size) {
    for (const known of touchedAt.keys()) if (!state.rounds.has(known)) touchedAt.delete(known);
  }
  return { state, touchedAt, usedAt: now };
}

/**
 * What time alone does to a prompt: decides groups whose grace or deadline is over, drops rounds whose
 * retention is, and in the end the prompt, which `kept` null says. Returns `kept` itself if nothing is due.
 */
export function tendPrompt(
  kept: KeptPrompt,
  clocks: Clocks,
  now: number,
): { readonly kept: KeptPrompt | null; readonly decisions: readonly Decision[] } {
  let next = kept;
  const decisions: Decision[] = [];
  for (const [round, bucket] of kept.state.rounds) {
    let closed = bucket;
    for (const [group, cause] of dueGroups(bucket, clocks, now)) {
      closed = withGroup(closed, decideGroup(group, cause, now));
      next = touchRound(next, withBucket(next.state, closed, [group.agent]), round, now);
      decisions.push({ bucket: closed, decided: [group.agent] });
    }
  }
  next = dropExpired(next, clocks, now);
  const idle = next.state.rounds.size === 0 && next.usedAt + clocks.promptRetentionMs <= now;
  return { kept: idle ? null : next, decisions };
}

/** When {@link tendPrompt} will next have something to do, in milliseconds. */
export function attentionAt({ state, touchedAt, usedAt }: KeptPrompt, clocks: Clocks): number {
  let next = Number.POSITIVE_INFINITY;
  for (const [round, bucket] of state.rounds) {
    if (!isOpen(bucket)) next = Math.min(next, (touchedAt.get(round) ?? usedAt) + clocks.retentionMs);
    for (const group of bucket.groups.values()) {
      if (group.state === 'open') next = Math.min(next, dueAt(group, clocks.barrier.graceMs));
    }
  }
  return Number.isFinite(next) ? next : usedAt + clocks.promptRetentionMs;
}

/** Until when somebody may need a prompt that nobody tends, in milliseconds. */
export function neededUntil({ state, usedAt }: KeptPrompt, clocks: Clocks): number {
  let last = usedAt + Math.max(clocks.retentionMs, clocks.promptRetentionMs);
  for (const bucket of state.rounds.values()) {
    for (const group of bucket.groups.values()) {
      if (group.state === 'open') last = Math.max(last, group.deadlineAt + clocks.retentionMs);
    }
  }
  return last;
}

/** Open groups that are due and what decides them, the longest overdue first. */
function dueGroups(bucket: Bucket, { barrier }: Clocks, now: number): readonly (readonly [Group, Cause])[] {
  const due: (readonly [Group, Cause])[] = [];
  for (const group of bucket.groups.values()) {
    const cause = dueCause(group, barrier.graceMs, now);
    if (cause !== null) due.push([group, cause]);
  }
  return due.sort(([a], [b]) => dueAt(a, barrier.graceMs) - dueAt(b, barrier.graceMs));
}

function dropExpired(kept: KeptPrompt, { barrier, retentionMs }: Clocks, now: number): KeptPrompt {
  const { state, usedAt } = kept;
  const expired = [...state.rounds].filter(
    ([round, bucket]) => !isOpen(bucket) && (kept.touchedAt.get(round) ?? usedAt) + retentionMs <= now,
  );
  if (expired.length === 0) return kept;
  const rounds = new Map(state.rounds);
  const touchedAt = new Map(kept.touchedAt);
  for (const [round] of expired) {
    rounds.delete(round);
    touchedAt.delete(round);
  }
  // Labels outlive their buckets only where the barrier reads them.
  const labels = barrier.mode === 'last-label' ? state.labels : new Map();
  return { state: { ...state, rounds, labels }, touchedAt, usedAt };
}
