import type { AgentName } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import type { HeldRef, Store } from '../store/store.ts';

/** A connection that is gone, and where it held rollouts. */
export interface Release {
  readonly cohort: string;
  readonly agent: AgentName;
  readonly holder: string;
  readonly held: readonly HeldRef[];
}

/** Beyond so many the oldest are dropped: their retries count as new rollouts. */
const MOST_OWED = 10_000;

/**
 * Gives rollouts back whose connection is gone. What the store cannot take now is owed to it, and paid before anything
 * else is stored: a retry that came first would count as new rollouts.
 */
export class OwedReleases {
  readonly #store: Store;
  readonly #owed = new Set<Release>();

  constructor(store: Store) {
    this.#store = store;
  }

  async release(release: Release): Promise<void> {
    if (release.held.length === 0) return;
    try {
      await this.#send(release);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#owed.add(release);
      const [oldest] = this.#owed;
      if (this.#owed.size > MOST_OWED && oldest !== undefined) this.#owed.delete(oldest);
    }
  }

  /** Throws `store_unavailable` as long as it cannot be done. */
  async pay(): Promise<void> {
    const owed = [...this.#owed];
    if (owed.length === 0) return;
    await Promise.all(
      owed.map(async (release) => {
        await this.#send(release);
        this.#owed.delete(release);
      }),
    );
  }

  #send({ cohort, agent, holder, held }: Release): Promise<void> {
    return this.#store.release(cohort, agent, holder, held);
  }
}

/** Whether an error says that the store cannot be reached at the moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'store_unavailable';
}
