import { setImmediate } from 'node:timers';
import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import { attentionAt, neededUntil } from '../../domain/kept-prompt.ts';
import { type Caller, callScript } from './call.ts';
import type { Shard } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import { packPrompt } from './pack-prompt.ts';
import type { PromptReader, ReadPrompt } from './read-prompt.ts';
import type { Tokens } from './tokens.ts';

/** A state that shall take the place of the one that was read. */
export interface Swap {
  readonly known: KnownCohort;
  readonly shard: Shard;
  readonly member: string;
  readonly read: ReadPrompt;
  /** Null drops the prompt. */
  readonly next: KeptPrompt | null;
  /** Members of the shard's open buckets that come and go with it. */
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  /** What others shall hear, as elements of a JSON list; empty for nothing. */
  readonly notice: string;
}

export type Swapped =
  | { readonly kind: 'swapped'; readonly token: string; readonly now: number }
  /** Somebody changed it in between, to this. */
  | { readonly kind: 'conflict'; readonly current: ReadPrompt };

/** Prompts that one script call changes at most. */
const MOST_PER_CALL = 128;
/**
 * How long a prompt that nobody tends outlives its use, in milliseconds: those who tend it remove it and what points to
 * it together, so its own expiry is only for when none of them is left.
 */
const SLACK_MS = 600_000;

interface Pending {
  readonly swap: Swap;
  readonly resolve: (swapped: Swapped) => void;
  readonly reject: (error: unknown) => void;
}

/** Puts new states in place. All that is asked for in one turn of the event loop costs one round trip. */
export class BatchSwaps {
  readonly #caller: Caller;
  readonly #reader: PromptReader;
  readonly #tokens: Tokens;
  readonly #origin: string;
  #pending = new Map<Shard, Pending[]>();

  /** `origin` names this replica in messages. */
  constructor(caller: Caller, reader: PromptReader, tokens: Tokens, origin: string) {
    this.#caller = caller;
    this.#reader = reader;
    this.#tokens = tokens;
    this.#origin = JSON.stringify(origin);
  }

  swap(swap: Swap): Promise<Swapped> {
    if (this.#pending.size === 0) setImmediate(() => void this.#flush());
    return new Promise((resolve, reject) => {
      const pending = { swap, resolve, reject };
      const shard = this.#pending.get(swap.shard);
      if (shard === undefined) this.#pending.set(swap.shard, [pending]);
      else shard.push(pending);
    });
  }

  async #flush(): Promise<void> {
    const groups: Pending[][] = [];
    for (const pending of this.#pending.values()) {
      for (let at = 0; at < pending.length; at += MOST_PER_CALL)
        groups.push(pending.slice(at, at + MOST_PER_CALL));
    }
    this.#pending = new Map();
    try {
      const tokens = groups.map((group) => group.map(() => this.#tokens.next()));
      const calls = groups.map((group, at) => this.#callFor(group, tokens[at] ?? []));
      const replies = await this.#caller.attempt(calls);
      for (const [at, group] of groups.entries()) {
        const reply = replies[at];
        if (reply?.ok === true) this.#answer(group, tokens[at] ?? [], reply.value);
        else for (const { reject } of group) reject(reply?.error);
      }
    } catch (error) {
      for (const group of groups) for (const { reject } of group) reject(error);
    }
  }

  #answer(group: readonly Pending[], tokens: readonly string[], reply: unknown): void {
    const [, now, ...outcomes] = reply as [string, number, ...unknown[]];
    group.forEach(({ swap, resolve, reject }, at) => {
      if (outcomes[2 * at] === 'ok') {
        resolve({ kind: 'swapped', token: swap.next === null ? '' : (tokens[at] ?? ''), now });
        return;
      }
      const found = { value: outcomes[2 * at + 1], now };
      new Promise<ReadPrompt>((read) => {
        read(this.#reader.read(swap.known, swap.member, found));
      }).then((current) => resolve({ kind: 'conflict', current }), reject);
    });
  }

  #callFor(group: readonly Pending[], tokens: readonly string[]) {
    const [first] = group;
    if (first === undefined) throw new Error('a call without swaps');
    const { shard } = first.swap;
    const keys = [shard.index, shard.open, ...group.map(({ swap }) => shard.prompt(swap.member))];
    const { now, publish } = this.#caller;
    const args: (string | number)[] = [now(), publish, shard.channel, this.#origin];
    group.forEach(({ swap }, at) => {
      const { known, next, read, opened, closed } = swap;
      const clocks = known.cohort;
      const value = next === null ? '' : (tokens[at] ?? '') + packPrompt(next);
      const ttl = next === null ? 0 : neededUntil(next, clocks) - read.now + SLACK_MS;
      const attention = next === null ? 0 : attentionAt(next, clocks);
      args.push(swap.member, read.token, value, ttl, attention, swap.notice, opened.length + closed.length);
      for (const member of opened) args.push(member, 'open');
      for (const member of closed) args.push(member, 'closed');
    });
    return callScript('promptsSwap', keys, args);
  }
}
