import { setImmediate } from 'node:timers';
import { type Caller, callScript } from './call.ts';
import { type Shard, shardOf } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import type { PromptReader, PromptReply, ReadPrompt } from './read-prompt.ts';

/** Prompts that one script call reads at most: above it a call would keep others waiting. */
const MOST_PER_CALL = 256;

interface Wanted {
  readonly known: KnownCohort;
  readonly shard: Shard;
  readonly member: string;
  readonly resolve: (prompt: ReadPrompt | Promise<ReadPrompt>) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads prompts. All that is asked for in one turn of the event loop costs one round trip, each prompt once. */
export class BatchReads {
  readonly #caller: Caller;
  readonly #reader: PromptReader;
  /** In the order asked for, which is the one that they are answered in. */
  #wanted: Wanted[] = [];
  #promises = new Map<string, Promise<ReadPrompt>>();

  constructor(caller: Caller, reader: PromptReader) {
    this.#caller = caller;
    this.#reader = reader;
  }

  read(known: KnownCohort, member: string): Promise<ReadPrompt> {
    const shard = shardOf(known.keys, member);
    const key = shard.prompt(member);
    const asked = this.#promises.get(key);
    if (asked !== undefined) return asked;
    if (this.#wanted.length === 0) setImmediate(() => void this.#flush());
    const promise = new Promise<ReadPrompt>((resolve, reject) => {
      this.#wanted.push({ known, shard, member, resolve, reject });
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
    const found = new Map<Wanted, PromptReply>();
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
    { known, member, resolve, reject }: Wanted,
    reply: PromptReply = { value: undefined, now: 0 },
  ): void {
    try {
      resolve(this.#reader.read(known, member, reply));
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
