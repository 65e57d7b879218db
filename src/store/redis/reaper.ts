import type { Decision } from '../../domain/close.ts';
import { isUnreadable } from '../../domain/errors.ts';
import { tendPrompt } from '../../domain/kept-prompt.ts';
import type { DueDecision } from '../store.ts';
import { type Caller, callScript, type Reply } from './call.ts';
import { idOf, type Shard } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import type { Change, Prompts } from './prompts.ts';

/** Prompts of one shard that are tended at a time. */
const SLICE = 128;
/** A shard is looked at as often at least: another replica may have left something that this one did not hear of. */
const LOOK_EVERY_MS = 1_000;

interface Look {
  readonly known: KnownCohort;
  readonly shard: Shard;
  /** Prompts at the head of the list that cannot be read, and so stay there. */
  readonly skipped: number;
}

interface Taken {
  readonly found: readonly DueDecision[];
  readonly error: unknown;
  readonly more: Look | null;
}

/**
 * Does what time asks for. Every replica looks for what is due; whoever swaps a prompt first has tended it, and only that
 * one is told of the decisions.
 */
export class Reaper {
  readonly #caller: Caller;
  readonly #prompts: Prompts;
  /** When each shard is looked at next, in milliseconds of `performance.now`. */
  readonly #nextLook = new Map<string, number>();
  /** What was due at the last look and is not expected to be due again. */
  readonly #seen = new Map<string, ReadonlySet<string>>();

  constructor(caller: Caller, prompts: Prompts) {
    this.#caller = caller;
    this.#prompts = prompts;
  }

  /** A prompt of this shard needs attention in `inMs`. */
  scheduled({ index }: Shard, inMs: number): void {
    const at = performance.now() + inMs;
    const next = this.#nextLook.get(index);
    if (next !== undefined && next > at) this.#nextLook.set(index, at);
  }

  async closeDue(cohorts: Iterable<KnownCohort>): Promise<readonly DueDecision[]> {
    const decisions: DueDecision[] = [];
    let looks = [...cohorts].flatMap((known) =>
      known.keys.shards.map((shard): Look => ({ known, shard, skipped: 0 })),
    );
    let failure: unknown = null;
    // A clock of a test stands still and jumps.
    if (this.#caller.now() === '') looks = looks.filter(({ shard }) => this.#isDue(shard));
    while (looks.length > 0) {
      const replies = await this.#caller.attempt(
        looks.map(({ shard, skipped }) =>
          callScript('promptsDue', [shard.index], [this.#caller.now(), SLICE, skipped]),
        ),
      );
      const tended = await Promise.all(
        looks.map((look, at) => this.#take(look, replies[at] ?? { ok: false, error: null })),
      );
      looks = [];
      for (const { found, error, more } of tended) {
        decisions.push(...found);
        failure ??= error;
        if (more !== null) looks.push(more);
      }
    }
    // Whoever hears of a decision here is the only one who does: a failure elsewhere must not swallow it.
    if (failure !== null && decisions.length === 0) throw failure;
    return decisions;
  }

  /** Tends what one look found. `error`: why it could not; `more`: what to look at next, where there is more. */
  async #take(look: Look, reply: Reply | { readonly ok: false; readonly error: null }): Promise<Taken> {
    if (!reply.ok) {
      const isOver = isUnreadable(reply.error);
      // A list of another kind concerns its own shard alone.
      if (isOver) this.#plan(look.shard, 0, null);
      return { found: [], error: isOver ? null : reply.error, more: null };
    }
    const [, now, after, ...members] = reply.value as [string, number, string | null, ...string[]];
    this.#plan(look.shard, members.length, after === null ? null : Number(after) - now);
    const results = await Promise.allSettled(this.#tend(look, members));
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const unread = errors.filter(isUnreadable).length;
    if (unread > 0) this.#plan(look.shard, 0, null);
    return {
      found: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
      error: errors.find((error) => !isUnreadable(error)) ?? null,
      more:
        members.length === SLICE && errors.length === unread
          ? { ...look, skipped: look.skipped + unread }
          : null,
    };
  }

  forget(known: KnownCohort): void {
    for (const { index } of known.keys.shards) {
      this.#nextLook.delete(index);
      this.#seen.delete(index);
    }
  }

  #isDue({ index }: Shard): boolean {
    return performance.now() >= (this.#nextLook.get(index) ?? 0);
  }

  #plan({ index }: Shard, found: number, nextInMs: number | null): void {
    const wait = found > 0 ? 0 : Math.min(nextInMs ?? LOOK_EVERY_MS, LOOK_EVERY_MS);
    // Jitter, so that replicas do not all come for the same prompt at once.
    this.#nextLook.set(index, performance.now() + wait + Math.random() * 50);
  }

  #tend({ known, shard }: Look, members: readonly string[]): Promise<readonly DueDecision[]>[] {
    const seen = this.#seen.get(shard.index) ?? new Set();
    this.#seen.set(shard.index, new Set(members));
    return members.map((member) => {
      const change: Change<readonly Decision[]> = (kept, now) => {
        if (kept === null) return { kept: null, decided: [], result: [], rewrite: true };
        const tended = tendPrompt(kept, known.cohort, now);
        return {
          kept: tended.kept,
          decided: tended.decisions.map(({ bucket }) => bucket),
          result: tended.decisions,
          // Still due though nothing is: its place in the list is out of date, say from settings that were replaced.
          rewrite: tended.kept === kept && seen.has(member),
        };
      };
      return this.#prompts
        .change(known, idOf(member), change)
        .then((decisions) => decisions.map((decision) => ({ ...decision, cohort: known.cohort.name })));
    });
  }
}
