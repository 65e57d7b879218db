/** Reliabilities are kept this far from 0 and 1, where their log-odds are infinite. */
const CLIP = 1e-6;

/**
 * Weight of one label in a vote by reliability: ln((M - 1) p / (1 - p)) for an agent whose label is right with
 * probability `p`, the wrong ones spread evenly over the other M - 1 answers. 0 for an agent that guesses
 * (p = 1/M), below 0 for one that is worse. `classes` is M, at least 2.
 */
export function logOddsWeight(reliability: number, classes: number): number {
  const p = Math.min(1 - CLIP, Math.max(CLIP, reliability));
  return Math.log(((classes - 1) * p) / (1 - p));
}

/** Sum of the weights of the agents behind each label, in the order of `labels`; null labels say nothing. */
export function logOddsScores(
  labels: readonly { readonly key: string | null; readonly reliability: number }[],
  classes: number,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { key, reliability } of labels) {
    if (key !== null) scores.set(key, (scores.get(key) ?? 0) + logOddsWeight(reliability, classes));
  }
  return scores;
}
