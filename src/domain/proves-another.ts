/** Part of a pause that is counted on: timers may be early, and an arrival may be stamped early by as much as a round trip. */
const SURE = 0.9;

/** A text without id that comes, and what is known of how its client repeats a request. */
export interface Asking {
  /** Milliseconds of the store's clock. */
  readonly now: number;
  /** The least that the client waits between its first try and its second, its second and its third, and so on. */
  readonly pausesMs: readonly number[];
}

/**
 * Whether a text that comes now must be of one more rollout than the `rollouts` that are stored with it. `before`: when
 * it came so far, in any order. A rollout comes once at most within the first pause, twice within the first two
 * together, and so on, so more arrivals than that in a span of time are of more rollouts. That holds whichever
 * rollout each arrival is of, so it never counts one twice.
 */
export function provesAnother(
  before: readonly number[],
  rollouts: number,
  { now, pausesMs }: Asking,
): boolean {
  let spanMs = 0;
  return pausesMs.some((pauseMs, tries) => {
    spanMs += pauseMs * SURE;
    const earlier = before.filter((at) => at > now - spanMs).length;
    return earlier + 1 > rollouts * (tries + 1);
  });
}

/** The times that may still prove something, with now. */
export function noteAsked(before: readonly number[] | null, { now, pausesMs }: Asking): readonly number[] {
  const spanMs = pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0) * SURE;
  return [...(before ?? []).filter((at) => at > now - spanMs), now];
}
