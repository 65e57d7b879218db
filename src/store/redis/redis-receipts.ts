import type { Receipts } from '../receipts.ts';
import { type Call, type Caller, callScript } from './call.ts';
import type { Keys } from './keys.ts';

/** Until an identical text may come at a later visit; as long as prompts are remembered by default. */
const TTL_MS = 7 * 86_400_000;

/**
 * Replies that were written and not noted in their prompts yet. Noting one takes a read and a swap; this takes one call,
 * which is on its way when the reply is. What a killed replica leaves here was answered, though its prompts do not say so.
 */
export class RedisReceipts implements Receipts {
  readonly #caller: Caller;
  readonly #keys: Keys;
  readonly #origin: string;
  /** Announced, and not noted yet. */
  readonly #announced = new Set<string>();
  /** Noted in this turn: they are taken off together. */
  #noted: string[] = [];

  constructor(caller: Caller, keys: Keys, origin: string) {
    this.#caller = caller;
    this.#keys = keys;
    this.#origin = origin;
  }

  announce(holder: string): void {
    this.#announced.add(holder);
    const call = callScript('receiptPut', [this.#keys.receipts(this.#origin)], [holder, TTL_MS]);
    // What is not announced is as it was without: the note that follows says the same.
    this.#caller.run([call]).catch(() => undefined);
  }

  /** The prompts of this connection say by now how it ended. */
  forget(holder: string): void {
    if (!this.#announced.delete(holder)) return;
    this.#noted.push(holder);
    if (this.#noted.length === 1) setImmediate(() => this.#takeOff());
  }

  /** Connections of these replicas that were answered, whatever their prompts say. */
  async read(origins: Iterable<string>): Promise<ReadonlySet<string>> {
    const calls = [...origins].map((origin) => ({
      name: 'hkeys' as const,
      args: [this.#keys.receipts(origin)],
    }));
    const replies = await this.#caller.run(calls);
    return new Set(replies.flatMap((reply) => reply as string[]));
  }

  #takeOff(): void {
    const noted = this.#noted;
    this.#noted = [];
    const call: Call = { name: 'hdel', args: [this.#keys.receipts(this.#origin), ...noted] };
    this.#caller.run([call]).catch(() => undefined);
  }
}
