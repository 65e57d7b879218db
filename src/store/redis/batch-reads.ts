import { setImmediate } from 'node:timers';
import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import { type Caller, callScript, readAs } from './call.ts';
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
    const replies = await this.#caller.attempt(
      groups.map((group) => {
        const keys = group.map(({ shard, member }) => shard.prompt(member));
        return callScript('valuesRead', keys, [this.#caller.now()]);
      }),
    );
    const found = new Map<Wanted, { readonly value: unknown; readonly now: number }>();
    const failed = new Map<Wanted, unknown>();
    groups.forEach((group, at) => {
      const reply = replies[at];
      if (reply?.ok !== true) {
        for (const one of group) failed.set(one, reply?.error);
        return;
      }
      const [, now, ...values] = reply.value as [string, number, ...unknown[]];
      for (const [place, one] of group.entries()) found.set(one, { value: values[place], now });
    });
    for (const one of wanted) {
      if (failed.has(one)) one.reject(failed.get(one));
      else this.#answer(one, found.get(one));
    }
  }

  #answer(
    { shard, member, resolve, reject }: Wanted,
    found: { readonly value: unknown; readonly now: number } | undefined,
  ): void {
    try {
      resolve(readPrompt(this.#caller, { shard, member }, found?.value, found?.now ?? 0));
    } catch (error) {
      reject(error);
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

/** A prompt from what a script replied for its key. Throws ServiceError `unreadable_data`. */
export function readPrompt(
  caller: Caller,
  { shard, member }: { readonly shard: Shard; readonly member: string },
  reply: unknown,
  now: number,
): ReadPrompt {
  return readAs(caller, shard.prompt(member), () => {
    const { token, value } = readVersioned(reply);
    return { token, kept: value === null ? null : unpackPrompt(idOf(member), value), now };
  });
}
