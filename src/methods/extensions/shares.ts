/** How one group's rollouts are spread over their keys. */
export interface Shares {
  /** p(a): rollouts with key `a` over all rollouts, those without an answer included. So they may sum to less than 1. */
  readonly of: ReadonlyMap<string, number>;
  /** The key with the most rollouts; null when no rollout has an answer. */
  readonly top: string | null;
  /** p(top), 0 to 1; 0 without one. */
  readonly topShare: number;
  /** The top count is shared by several keys. */
  readonly tied: boolean;
}

/** The part of a vote that shares are made of. */
export interface Counted {
  readonly clusters: readonly { readonly key: string; readonly votes: number }[];
  readonly ballots: number;
}

/**
 * The shares behind a vote. Keys are in the vote's own order, which does not depend on arrival, so that sums
 * over them come out the same on every replica to the last bit.
 */
export function sharesOf({ clusters, ballots }: Counted): Shares {
  const [first, second] = clusters;
  return {
    of: new Map(clusters.map(({ key, votes }) => [key, votes / ballots])),
    top: first?.key ?? null,
    topShare: first === undefined ? 0 : first.votes / ballots,
    tied: first !== undefined && second?.votes === first.votes,
  };
}
