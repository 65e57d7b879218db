import type { NewRollout } from './arrival.ts';
import type { Rollout } from './bucket.ts';
import { type Asking, provesAnother } from './proves-another.ts';

/**
 * The holder of one arrival: its connection, and its place in what that connection submitted. So a repeated
 * call finds its own rollouts, and identical texts in two arrivals of one call stay two votes.
 */
export function holderAt(connection: string, place: number): string {
  return `${connection}/${place}`;
}

export function isHeldBy(rollout: Rollout, connection: string): boolean {
  return rollout.holder?.startsWith(`${connection}/`) === true;
}

export interface StoredBy {
  readonly incarnation: string | null;
  readonly holder: string;
  /** Known where the client's pauses are. */
  readonly asking: Asking | undefined;
}

/**
 * Position in `stored` of a rollout that arrives again, or -1 when it is new. By id within its
 * incarnation; without an id by its text, which finds what this same connection stored (a repeated
 * call), else what a connection left behind that closed unanswered, unless the client cannot be back with
 * any of it yet. Positions in `taken` are spoken for by earlier rollouts of the same arrival, so that two
 * identical texts are two votes.
 */
export function findStored(
  stored: readonly Rollout[],
  arriving: NewRollout,
  { incarnation, holder, asking }: StoredBy,
  taken: ReadonlySet<number>,
): number {
  if (arriving.id !== null) {
    return stored.findIndex((rollout) => rollout.id === arriving.id && rollout.incarnation === incarnation);
  }
  const isAlike = (rollout: Rollout) =>
    rollout.anonymous && rollout.digest === arriving.digest && rollout.incarnation === incarnation;
  const heldBy = (wanted: string | null) =>
    stored.findIndex((rollout, at) => rollout.holder === wanted && isAlike(rollout) && !taken.has(at));
  const own = heldBy(holder);
  if (own >= 0) return own;
  const left = heldBy(null);
  if (left < 0 || asking === undefined) return left;
  const alike = stored.filter(isAlike);
  const before = alike.flatMap(({ askedAt }) => askedAt ?? []);
  return provesAnother(before, alike.length, asking) ? -1 : left;
}
