import type { AgentName } from '../domain/cohort.ts';
import { isUnreadable } from '../domain/errors.ts';
import type { HeldRef, Store } from '../store/store.ts';
import { isUnavailable } from './store-troubles.ts';

/** A connection that came to its end, and where it held rollouts. */
export interface Release {
  readonly cohort: string;
  readonly agent: AgentName;
  readonly holder: string;
  readonly held: readonly HeldRef[];
}

/** `release`: its caller is gone without the rewards. `answer`: they were written to it. */
interface Debt {
  readonly end: 'release' | 'answer';
  readonly release: Release;
}

/** Beyond so many the oldest are dropped: their retries count as new rollouts. */
const MOST_OWED = 10_000;

/**
 * Tells the store how connections ended. What it cannot take now is owed to it, and paid before anything else is stored:
 * the retry of one that is gone would count as new rollouts if it came first.
 */
export class OwedReleases {
  readonly #store: Store;
  readonly #owed = new Set<Debt>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Gives the rollouts of a connection back that is gone. */
  release(release: Release): Promise<void> {
    return this.#tell({ end: 'release', release });
  }

  /** The rewards were written: a text that comes again is not the retry of these rollouts. */
  answer(release: Release): Promise<void> {
    return this.#tell({ end: 'answer', release });
  }

  /** Resolves once the store knows of all that ended before, or it is owed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** Throws `store_unavailable` as long as it cannot be done. */
  async pay(): Promise<void> {
    const owed = [...this.#owed];
    if (owed.length === 0) return;
    await Promise.all(
      owed.map(async (debt) => {
        await this.#send(debt).catch((error: unknown) => {
          if (!isUnreadable(error)) throw error;
        });
        this.#owed.delete(debt);
      }),
    );
  }

  async #tell(debt: Debt): Promise<void> {
    if (debt.release.held.length === 0) return;
    const telling = this.#send(debt);
    this.#underWay.add(telling);
    try {
      await telling;
    } catch (error) {
      // Of a prompt of another version there is nothing to tell, now or later.
      if (isUnreadable(error)) return;
      if (!isUnavailable(error)) throw error;
      this.#owed.add(debt);
      const [oldest] = this.#owed;
      if (this.#owed.size > MOST_OWED && oldest !== undefined) this.#owed.delete(oldest);
    } finally {
      this.#underWay.delete(telling);
    }
  }

  #send({ end, release: { cohort, agent, holder, held } }: Debt): Promise<void> {
    return this.#store[end](cohort, agent, holder, held);
  }
}
