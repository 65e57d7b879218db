import type { BucketRef } from '../store.ts';
import type { Call, Caller } from './call.ts';
import { readOpenMember } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';

/** How old a count may be that leaves plenty of room. */
const FRESH_MS = 1_000;
/** Plenty of room is this share of the limit, and so many places, that others may take within that time. */
const PLENTY = 0.1;
const PLENTY_PLACES = 256;

interface Count {
  readonly open: number;
  readonly at: number;
}

/** How many buckets each cohort has open, and which: the same for all replicas. */
export class OpenBuckets {
  readonly #caller: Caller;
  readonly #counts = new Map<string, Count>();
  /** Places promised to changes that are on their way, by generation. */
  readonly #promised = new Map<string, number>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async count({ keys, generation }: KnownCohort): Promise<number> {
    const calls = keys.shards.map(({ open }): Call => ({ name: 'zcard', args: [open] }));
    const counts = await this.#caller.run(calls);
    const open = counts.reduce<number>((sum, count) => sum + Number(count), 0);
    this.#counts.set(generation, { open, at: performance.now() });
    return open;
  }

  /** Oldest first, at most `limit`. */
  async list({ keys }: KnownCohort, limit: number): Promise<readonly BucketRef[]> {
    const calls = keys.shards.map(
      ({ open }): Call => ({ name: 'zrange', args: [open, 0, limit - 1, 'WITHSCORES'] }),
    );
    const found = (await this.#caller.run(calls)).flatMap((reply) => {
      const list = reply as string[];
      return list.flatMap((member, at) =>
        at % 2 === 0 ? [{ ref: readOpenMember(member), openedAt: Number(list[at + 1]) }] : [],
      );
    });
    return found
      .sort((a, b) => a.openedAt - b.openedAt)
      .slice(0, limit)
      .map(({ ref }) => ref);
  }

  /**
   * Room for new buckets, as of now. The count is read again when what was read before leaves little of it, so that the
   * limit is kept to within what several replicas open at the same moment.
   */
  async room(known: KnownCohort): Promise<Room> {
    const { generation, cohort } = known;
    const limit = cohort.limits.openBuckets;
    const promised = () => this.#promised.get(generation) ?? 0;
    const open = () => this.#counts.get(generation)?.open ?? 0;
    const last = this.#counts.get(generation);
    const isFresh = last !== undefined && performance.now() - last.at < FRESH_MS;
    if (!isFresh || limit - open() - promised() < Math.max(limit * PLENTY, PLENTY_PLACES))
      await this.count(known);
    return {
      limit,
      take: () => {
        if (open() + promised() >= limit) return false;
        this.#promised.set(generation, promised() + 1);
        return true;
      },
      giveBack: () => {
        this.#promised.set(generation, promised() - 1);
      },
      settle: (places, used) => {
        if (places === 0) return;
        this.#promised.set(generation, promised() - places);
        const count = this.#counts.get(generation);
        if (used && count !== undefined) {
          this.#counts.set(generation, { ...count, open: count.open + places });
        }
      },
    };
  }

  forget(generation: string): void {
    this.#counts.delete(generation);
    this.#promised.delete(generation);
  }
}

export interface Room {
  readonly limit: number;
  /** Promises a place for one more bucket, if there is any. */
  readonly take: () => boolean;
  /** A bucket that was open is so no more. */
  readonly giveBack: () => void;
  /** The places taken, less those given back, are used now, or it is as if nothing had been taken. */
  readonly settle: (places: number, used: boolean) => void;
}
