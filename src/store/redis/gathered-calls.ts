import { setImmediate } from 'node:timers';
import type { Redis } from 'ioredis';

/** The outcome of one command: an error or a reply. */
export type Outcome = readonly [Error | null, unknown];

/** A command of the client and its arguments. */
export type Command = readonly [name: string, args: readonly (string | number)[]];

interface Waiting {
  readonly commands: readonly Command[];
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends what is asked for in one turn of the event loop as one packet, in order. Each packet costs a system call here and
 * one in Redis, which is a fifth of the time of a busy replica where every request sends its own.
 */
export class GatheredCalls {
  readonly #client: Redis;
  #waiting: Waiting[] = [];

  constructor(client: Redis) {
    this.#client = client;
  }

  /** Outcomes in the order of `commands`. Rejects when the client takes none of them. */
  send(commands: readonly Command[]): Promise<readonly Outcome[]> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#flush());
    return new Promise((resolve, reject) => this.#waiting.push({ commands, resolve, reject }));
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const pipeline = this.#client.pipeline();
      for (const { commands } of waiting) {
        for (const command of commands) void invoke(pipeline, command);
      }
      const outcomes = (await pipeline.exec()) ?? [];
      let next = 0;
      for (const { commands, resolve } of waiting) {
        resolve(commands.map(() => outcomes[next++] ?? [new Error('no reply'), null]));
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

/** Commands are methods of a client and of a pipeline alike. */
export function invoke(target: object, [name, args]: Command): Promise<unknown> {
  const methods = target as Record<string, (...given: readonly (string | number)[]) => Promise<unknown>>;
  const method = methods[name];
  if (method === undefined) throw new Error(`the Redis client has no command ${name}`);
  return method.apply(target, args as (string | number)[]);
}
