import type { GroupArrival } from './arrival.ts';

/**
 * One of several equal groups of one call: as many visits, not one group and its retries. `left`: how many of them come
 * from here on, itself included; `taken`: the rounds of those before it.
 */
export interface CallVisit {
  readonly left: number;
  readonly taken: ReadonlySet<number>;
}

/**
 * Tells the whole groups of one call that are equal: a policy that answers alike at two visits of a prompt within one step. Only groups of
 * K rollouts with ids count: parts of a group are sent twice by mistake, and texts without ids are told apart by who waits for them.
 */
export class CallVisits {
  readonly #left = new Map<string, number>();
  readonly #taken = new Map<string, Set<number>>();
  readonly #k: number;

  constructor(arrivals: readonly GroupArrival[], k: number) {
    this.#k = k;
    // Nearly every call has each prompt once.
    if (new Set(arrivals.map(({ promptId }) => promptId)).size === arrivals.length) return;
    for (const arrival of arrivals) {
      const key = this.#keyOf(arrival);
      if (key !== null) this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
    }
  }

  /** The arrival with what the store has to know of equal ones. To be asked in the order of the call, for each once. */
  of(arrival: GroupArrival): GroupArrival {
    const key = this.#left.size === 0 ? null : this.#keyOf(arrival);
    if (key === null) return arrival;
    const left = this.#left.get(key) ?? 0;
    const taken = this.#taken.get(key) ?? new Set();
    this.#left.set(key, left - 1);
    return left === 1 && taken.size === 0 ? arrival : { ...arrival, visit: { left, taken } };
  }

  /** Remembers where the arrival was stored; gives the outcome back. */
  note<Outcome extends { readonly kind: string; readonly bucket?: { readonly round: number } }>(
    arrival: GroupArrival,
    outcome: Outcome,
  ): Outcome {
    const key = this.#left.size === 0 ? null : this.#keyOf(arrival);
    if (key === null || outcome.bucket === undefined) return outcome;
    const taken = this.#taken.get(key) ?? new Set();
    this.#taken.set(key, taken.add(outcome.bucket.round));
    return outcome;
  }

  #keyOf({ promptId, round, rollouts }: GroupArrival): string | null {
    if (round !== null || rollouts.length !== this.#k) return null;
    const parts = rollouts.map(({ id, digest }) => (id === null ? null : [id, digest]));
    return parts.includes(null) ? null : JSON.stringify([promptId, ...parts]);
  }
}
