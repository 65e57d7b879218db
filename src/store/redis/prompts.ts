import { type Bucket, isOpen } from '../../domain/bucket.ts';
import { attentionAt, type KeptPrompt } from '../../domain/kept-prompt.ts';
import type { BucketRef, Notice } from '../store.ts';
import { BatchReads } from './batch-reads.ts';
import { BatchSwaps } from './batch-swaps.ts';
import type { Caller } from './call.ts';
import type { CohortDirectory } from './cohort-directory.ts';
import { Editions } from './editions.ts';
import { memberOf, openMember, type Shard, shardOf } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import { encodeNotice } from './notices.ts';
import { PromptReader, type ReadPrompt } from './read-prompt.ts';
import type { Tokens } from './tokens.ts';
import { unavailable } from './unavailable.ts';

/** What a change made of a prompt; `kept` as it was given when it changed nothing. */
export interface Changed<T> {
  readonly kept: KeptPrompt | null;
  /** Buckets in which groups were decided. */
  readonly decided: readonly BucketRef[];
  readonly result: T;
  /** Writes it even so, to set its clocks anew, or, where there is none, to remove what still points to it. */
  readonly rewrite?: boolean;
}

/** A pure change. It may be asked several times, as others change the prompt in between; the last answer counts. */
export type Change<T> = (kept: KeptPrompt | null, now: number) => Changed<T>;

/** Others won so often in a row that something must be wrong. */
const MOST_ATTEMPTS = 100;

interface Waiting {
  readonly change: Change<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What this process hears of its own changes at once. */
export interface PromptEvents {
  decided(notice: Notice): void;
  /** A prompt of the shard needs attention in `inMs`. */
  scheduled(shard: Shard, inMs: number): void;
}

/** The changes of this process to one prompt, one after the other. */
interface Lane {
  readonly known: KnownCohort;
  readonly shard: Shard;
  readonly member: string;
  waiting: Waiting[];
}

/**
 * The prompts in Redis. A change reads a prompt, applies a pure function, and swaps the result in if nobody was faster,
 * else does so again. What comes while one is on its way is taken together with the next.
 */
export class Prompts {
  readonly #reads: BatchReads;
  readonly #swaps: BatchSwaps;
  readonly #events: PromptEvents;
  readonly #lanes = new Map<string, Lane>();

  constructor(
    caller: Caller,
    directory: CohortDirectory,
    tokens: Tokens,
    origin: string,
    events: PromptEvents,
  ) {
    const reader = new PromptReader(caller, new Editions(directory));
    this.#reads = new BatchReads(caller, reader);
    this.#swaps = new BatchSwaps(caller, reader, tokens, origin);
    this.#events = events;
  }

  async read(known: KnownCohort, promptId: string): Promise<KeptPrompt | null> {
    return (await this.#reads.read(known, memberOf(promptId))).kept;
  }

  change<T>(known: KnownCohort, promptId: string, change: Change<T>): Promise<T> {
    const member = memberOf(promptId);
    const shard = shardOf(known.keys, member);
    const key = shard.prompt(member);
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { change, resolve: (result) => resolve(result as T), reject };
      const lane = this.#lanes.get(key);
      if (lane !== undefined) {
        lane.waiting.push(waiting);
        return;
      }
      const fresh: Lane = { known, shard, member, waiting: [waiting] };
      this.#lanes.set(key, fresh);
      void this.#drive(key, fresh);
    });
  }

  async #drive(key: string, lane: Lane): Promise<void> {
    let current: ReadPrompt | null = null;
    while (lane.waiting.length > 0) {
      let batch: Waiting[] = [];
      try {
        current ??= await this.#reads.read(lane.known, lane.member);
        batch = lane.waiting;
        lane.waiting = [];
        current = await this.#apply(lane, batch, current);
      } catch (error) {
        current = null;
        const failed = batch.length > 0 ? batch : lane.waiting;
        if (failed === lane.waiting) lane.waiting = [];
        for (const { reject } of failed) reject(error);
      }
    }
    this.#lanes.delete(key);
  }

  /** Applies changes in order and resolves them. Gives the prompt as it then is. */
  async #apply(lane: Lane, batch: readonly Waiting[], read: ReadPrompt): Promise<ReadPrompt> {
    let current = read;
    const clocks = lane.known.cohort;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      let { kept } = current;
      const results: unknown[] = [];
      const decided: BucketRef[] = [];
      let rewrite = false;
      for (const { change } of batch) {
        const changed = change(kept, current.now);
        kept = changed.kept;
        decided.push(...changed.decided);
        results.push(changed.result);
        rewrite ||= changed.rewrite === true;
      }
      const settle = () => {
        for (const [at, { resolve }] of batch.entries()) resolve(results[at]);
      };
      if (kept === current.kept && !rewrite) {
        settle();
        return current;
      }
      const cohort = lane.known.cohort.name;
      const notices = decided.map(({ promptId, round }) => {
        return { kind: 'decided', cohort, ref: { promptId, round } } as const;
      });
      const swapped = await this.#swaps.swap({
        known: lane.known,
        shard: lane.shard,
        member: lane.member,
        read: current,
        next: kept,
        ...openChanges(current.kept, kept, lane.member),
        notice: notices.map(encodeNotice).join(','),
      });
      if (swapped.kind === 'swapped') {
        settle();
        for (const notice of notices) this.#events.decided(notice);
        if (kept !== null) this.#events.scheduled(lane.shard, attentionAt(kept, clocks) - swapped.now);
        return { token: swapped.token, kept, now: swapped.now };
      }
      current = swapped.current;
    }
    throw unavailable(new Error('a prompt was changed by others too often'));
  }
}

/** Open buckets that a change brings and takes, as members of the shard's list. */
function openChanges(before: KeptPrompt | null, after: KeptPrompt | null, member: string) {
  const was = openRounds(before);
  const is = openRounds(after);
  return {
    opened: [...is].filter((round) => !was.has(round)).map((round) => openMember(round, member)),
    closed: [...was].filter((round) => !is.has(round)).map((round) => openMember(round, member)),
  };
}

function openRounds(kept: KeptPrompt | null): ReadonlySet<number> {
  const buckets: Bucket[] = [...(kept?.state.rounds.values() ?? [])];
  return new Set(buckets.filter(isOpen).map(({ round }) => round));
}
