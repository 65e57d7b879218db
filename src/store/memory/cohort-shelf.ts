import TinyQueue from 'tinyqueue';
import { type Bucket, type Cause, isOpen } from '../../domain/bucket.ts';
import type { Decision } from '../../domain/close.ts';
import { closeRound } from '../../domain/close.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { dueAt, dueCause } from '../../domain/decide.ts';
import { emptyPrompt, type PromptState } from '../../domain/prompt-state.ts';
import type { BucketRef } from '../store.ts';

interface DueEntry {
  readonly at: number;
  readonly promptId: string;
  readonly round: number;
  /** Null: the bucket itself, to be dropped once its retention is over. */
  readonly agent: AgentName | null;
}

interface PromptEntry {
  state: PromptState;
  /** Last change of each closed round; its presence says that the round is queued for expiry. */
  readonly touchedAt: Map<number, number>;
  usedAt: number;
}

/** Idle prompts beyond this many are forgotten, the longest unused first, whatever their retention. */
const MAX_PROMPTS = 1_000_000;

/** What one cohort holds in this process: prompts, their clocks, and the count of open buckets. */
export class CohortShelf {
  cohort: Cohort;
  readonly #prompts = new Map<string, PromptEntry>();
  readonly #open = new Map<string, BucketRef>();
  readonly #due = new TinyQueue<DueEntry>([], (a, b) => a.at - b.at);

  constructor(cohort: Cohort) {
    this.cohort = cohort;
  }

  get openBuckets(): number {
    return this.#open.size;
  }

  prompt(promptId: string): PromptState {
    return this.#prompts.get(promptId)?.state ?? emptyPrompt(promptId);
  }

  bucket({ promptId, round }: BucketRef): Bucket | null {
    return this.#prompts.get(promptId)?.state.rounds.get(round) ?? null;
  }

  isOpen(ref: BucketRef): boolean {
    return this.#open.has(keyOf(ref));
  }

  *listOpen(): Generator<Bucket> {
    for (const ref of this.#open.values()) {
      const bucket = this.bucket(ref);
      if (bucket !== null) yield bucket;
    }
  }

  /** Puts the new state of a prompt in place and sets the clocks of what the change of `round` opened. */
  replace(state: PromptState, round: number, now: number): void {
    const entry = this.#prompts.get(state.promptId) ?? { state, touchedAt: new Map(), usedAt: now };
    const before = this.bucket({ promptId: state.promptId, round });
    entry.state = state;
    entry.usedAt = now;
    // Re-inserted, so that the map stays in order of use.
    this.#prompts.delete(state.promptId);
    this.#prompts.set(state.promptId, entry);
    const bucket = state.rounds.get(round);
    if (bucket !== undefined) this.#schedule(entry, before, bucket, now);
  }

  /** Decides what is due and drops what has expired. */
  *closeDue(now: number): Generator<Decision> {
    for (let next = this.#due.peek(); next !== undefined && next.at <= now; next = this.#due.peek()) {
      this.#due.pop();
      if (next.agent === null) this.#expire(next, now);
      else {
        const decision = this.#closeGroup(next, next.agent, now);
        if (decision !== null) yield decision;
      }
    }
    this.#forgetIdle(now);
  }

  /** Decides one group and sets the clocks anew. */
  close(ref: BucketRef, agent: AgentName, cause: Cause, now: number): Decision | null {
    const { prompt, decision } = closeRound(this.prompt(ref.promptId), ref.round, agent, cause, now);
    if (decision !== null) this.replace(prompt, ref.round, now);
    return decision;
  }

  #schedule(entry: PromptEntry, before: Bucket | null, bucket: Bucket, now: number): void {
    const { promptId } = entry.state;
    const { round } = bucket;
    const { graceMs } = this.cohort.barrier;
    for (const group of bucket.groups.values()) {
      if (group.state !== 'open') continue;
      const at = dueAt(group, graceMs);
      const known = before?.groups.get(group.agent);
      if (known?.state === 'open' && dueAt(known, graceMs) === at) continue;
      this.#due.push({ at, promptId, round, agent: group.agent });
    }
    const key = keyOf(bucket);
    if (isOpen(bucket)) {
      if (!this.#open.has(key)) this.#open.set(key, { promptId, round });
      return;
    }
    this.#open.delete(key);
    if (!entry.touchedAt.has(round)) {
      this.#due.push({ at: now + this.cohort.retentionMs, promptId, round, agent: null });
    }
    entry.touchedAt.set(round, now);
  }

  #closeGroup({ promptId, round }: BucketRef, agent: AgentName, now: number): Decision | null {
    const group = this.bucket({ promptId, round })?.groups.get(agent);
    if (group === undefined) return null;
    const cause = dueCause(group, this.cohort.barrier.graceMs, now);
    return cause === null ? null : this.close({ promptId, round }, agent, cause, now);
  }

  #expire({ promptId, round }: BucketRef, now: number): void {
    const entry = this.#prompts.get(promptId);
    const touchedAt = entry?.touchedAt.get(round);
    if (entry === undefined || touchedAt === undefined) return;
    const reopened = this.isOpen({ promptId, round });
    const at = (reopened ? now : touchedAt) + this.cohort.retentionMs;
    if (at > now) {
      this.#due.push({ at, promptId, round, agent: null });
      return;
    }
    entry.touchedAt.delete(round);
    const rounds = new Map(entry.state.rounds);
    rounds.delete(round);
    // Labels outlive their buckets only where the barrier reads them.
    const labels = this.cohort.barrier.mode === 'last-label' ? entry.state.labels : new Map();
    entry.state = { ...entry.state, rounds, labels };
  }

  /** Visit counters and labels go when their prompt was not used for its retention. */
  #forgetIdle(now: number): void {
    for (const [promptId, entry] of this.#prompts) {
      const crowded = this.#prompts.size > MAX_PROMPTS;
      if (!crowded && entry.usedAt + this.cohort.promptRetentionMs > now) return;
      if (entry.state.rounds.size > 0) return;
      this.#prompts.delete(promptId);
    }
  }
}

function keyOf({ promptId, round }: BucketRef): string {
  return `${round}:${promptId}`;
}
