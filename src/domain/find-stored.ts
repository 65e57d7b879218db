import type { NewRollout } from './arrival.ts';
import type { Rollout } from './bucket.ts';

export interface StoredBy {
  readonly incarnation: string | null;
  readonly holder: string;
}

/**
 * Position in `stored` of a rollout that arrives again, or -1 when it is new. By id within its
 * incarnation; without an id by its text, which finds what this same connection stored (a repeated
 * call), else what a connection left behind that closed unanswered. Positions in `taken` are spoken
 * for by earlier rollouts of the same arrival, so that two identical texts are two votes.
 */
export function findStored(
  stored: readonly Rollout[],
  arriving: NewRollout,
  { incarnation, holder }: StoredBy,
  taken: ReadonlySet<number>,
): number {
  if (arriving.id !== null) {
    return stored.findIndex((rollout) => rollout.id === arriving.id && rollout.incarnation === incarnation);
  }
  const heldBy = (wanted: string | null) =>
    stored.findIndex(
      (rollout, at) =>
        rollout.anonymous &&
        rollout.holder === wanted &&
        rollout.digest === arriving.digest &&
        rollout.incarnation === incarnation &&
        !taken.has(at),
    );
  const own = heldBy(holder);
  return own >= 0 ? own : heldBy(null);
}
