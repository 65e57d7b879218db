import TinyQueue from 'tinyqueue';
import { type Bucket, type Cause, isOpen } from '../../domain/bucket.ts';
import type { Decision } from '../../domain/close.ts';
import { closeRound, endShort } from '../../domain/close.ts';
import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { attentionAt, type KeptPrompt, tendPrompt, touchRound } from '../../domain/kept-prompt.ts';
import { emptyPrompt, type PromptState } from '../../domain/prompt-state.ts';
import type { BucketRef, HeldRef } from '../store.ts';

interface DueEntry {
  readonly at: number;
  readonly promptId: string;
}

interface PromptEntry {
  readonly kept: KeptPrompt;
  /** Time of the one entry in the queue that counts for this prompt; later ones are left-overs. */
  readonly queuedAt: number;
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
    return this.#prompts.get(promptId)?.kept.state ?? emptyPrompt(promptId);
  }

  bucket({ promptId, round }: BucketRef): Bucket | null {
    return this.#prompts.get(promptId)?.kept.state.rounds.get(round) ?? null;
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

  /** Puts the new state of a prompt in place after a change of `round`. */
  replace(state: PromptState, round: number, now: number): void {
    const before = this.#prompts.get(state.promptId);
    this.#put(before, touchRound(before?.kept ?? null, state, round, now), [round]);
  }

  /** Applies a change to each of these rounds; one that leaves the state as it is moves no clock. */
  changeHeld(
    held: readonly HeldRef[],
    now: number,
    change: (prompt: PromptState, round: number) => PromptState,
  ): void {
    for (const { promptId, round: only } of held) {
      for (const round of only === null ? this.prompt(promptId).rounds.keys() : [only]) {
        const before = this.prompt(promptId);
        const after = change(before, round);
        if (after !== before) this.replace(after, round, now);
      }
    }
  }

  /** Decides what is due and drops what has expired. */
  *closeDue(now: number): Generator<Decision> {
    for (let next = this.#due.peek(); next !== undefined && next.at <= now; next = this.#due.peek()) {
      this.#due.pop();
      const entry = this.#prompts.get(next.promptId);
      if (entry === undefined || entry.queuedAt !== next.at) continue;
      const { kept, decisions } = tendPrompt(entry.kept, this.cohort, now);
      if (kept === null) this.#prompts.delete(next.promptId);
      else this.#put({ ...entry, queuedAt: Number.POSITIVE_INFINITY }, kept, kept.state.rounds.keys());
      yield* decisions;
    }
    this.#forgetCrowd();
  }

  /** Decides one group and sets the clocks anew. */
  close(ref: BucketRef, agent: AgentName, cause: Cause, now: number): Decision | null {
    const { prompt, decision } = closeRound(this.prompt(ref.promptId), ref.round, agent, cause, now);
    if (decision !== null) this.replace(prompt, ref.round, now);
    return decision;
  }

  /** Decides the groups that have stopped at `size` rollouts. */
  endShort(refs: readonly BucketRef[], agent: AgentName, size: number, now: number): readonly Decision[] {
    return refs.flatMap(({ promptId, round }): Decision[] => {
      const { prompt, decision } = endShort(this.prompt(promptId), round, agent, size, now);
      if (decision === null) return [];
      this.replace(prompt, round, now);
      return [decision];
    });
  }

  /** `changed`: the rounds that were opened or closed, if any were. */
  #put(before: PromptEntry | undefined, kept: KeptPrompt, changed: Iterable<number>): void {
    const { promptId } = kept.state;
    const at = attentionAt(kept, this.cohort);
    const queuedAt = Math.min(at, before?.queuedAt ?? Number.POSITIVE_INFINITY);
    if (queuedAt !== before?.queuedAt) this.#due.push({ at: queuedAt, promptId });
    // Re-inserted, so that the map stays in order of use.
    this.#prompts.delete(promptId);
    this.#prompts.set(promptId, { kept, queuedAt });
    for (const round of changed) {
      const bucket = kept.state.rounds.get(round);
      if (bucket === undefined) continue;
      const key = keyOf({ promptId, round });
      if (!isOpen(bucket)) this.#open.delete(key);
      else if (!this.#open.has(key)) this.#open.set(key, { promptId, round });
    }
  }

  #forgetCrowd(): void {
    for (const [promptId, { kept }] of this.#prompts) {
      if (this.#prompts.size <= MAX_PROMPTS || kept.state.rounds.size > 0) return;
      this.#prompts.delete(promptId);
    }
  }
}

function keyOf({ promptId, round }: BucketRef): string {
  return `${round}:${promptId}`;
}
