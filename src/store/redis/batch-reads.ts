import { setImmediate } from 'node:timers';
import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import { type Caller, callScript } from './call.ts';
import { idOf, type Shard } from './keys.ts';
import { readVersioned } from './tokens.ts';
import { unpackPrompt } from './unpack-prompt.ts';

/** A prompt as it was read: null if there is none, and its token, which is empty then. */
export interface ReadPrompt {
  readonly token: string;
  readonly kept: KeptPrompt | null;
  /** Milliseconds of the server's clock when it was read. */
  readonly now: number;
}

/** Prompts that one script call reads at most: above it a call would keep others waiting. */
const MOST_PER_CALL = 256;

interface Wanted {
  readonly shard: Shard;
  readonly member: string;
  readonly resolve: (prompt: ReadPrompt) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads prompts. All that is asked for in one turn of the event loop costs one round trip, each prompt once. */
export class BatchReads {
  readonly #caller: Caller;
  /** In the order asked for, which is the one that they are answered in. */
  #wanted: Wanted[] = [];
  #promises = new Map<string, Promise<ReadPrompt>>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  read(shard: Shard, member: string): Promise<ReadPrompt> {
    const key = shard.prompt(member);
    const asked = this.#promises.get(key);
    if (asked !== undefined) return asked;
    if (this.#wanted.length === 0) setImmediate(() => void this.#flush());
    const promise = new Promise<ReadPrompt>((resolve, reject) => {
      this.#wanted.push({ shard, member, resolve, reject });
    });
    this.#promises.set(key, promise);
    return promise;
  }

  async #flush(): Promise<void> {
    const wanted = this.#wanted;
    const groups = groupByCall(wanted);
    this.#wanted = [];
    this.#promises = new Map();
    try {
      const replies = await this.#caller.run(
        groups.map((group) => {
          const keys = group.map(({ shard, member }) => shard.prompt(member));
          return callScript('valuesRead', keys, [this.#caller.now()]);
        }),
      );
      const found = new Map<Wanted, { readonly value: unknown; readonly now: number }>();
      groups.forEach((group, at) => {
        const [, now, ...values] = replies[at] as [string, number, ...unknown[]];
        for (const [place, one] of group.entries()) found.set(one, { value: values[place], now });
      });
      for (const one of wanted) answer(one, found.get(one));
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }
}

function groupByCall(wanted: readonly Wanted[]): Wanted[][] {
  const open = new Map<Shard, Wanted[]>();
  const groups: Wanted[][] = [];
  for (const one of wanted) {
    const group = open.get(one.shard);
    if (group !== undefined && group.length < MOST_PER_CALL) group.push(one);
    else {
      const next = [one];
      open.set(one.shard, next);
      groups.push(next);
    }
  }
  return groups;
}

function answer(
  { member, resolve, reject }: Wanted,
  found: { readonly value: unknown; readonly now: number } | undefined,
): void {
  try {
    resolve(readPrompt(member, found?.value, found?.now ?? 0));
  } catch (error) {
    reject(error);
  }
}

/** A prompt from what a script replied for its key. Throws UnreadableValueError. */
export function readPrompt(member: string, reply: unknown, now: number): ReadPrompt {
  const { token, value } = readVersioned(reply);
  return { token, kept: value === null ? null : unpackPrompt(idOf(member), value), now };
}
