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

/** An agent's label, null for none, and how often its labels are right. */
export interface WeighedLabel {
  readonly key: string | null;
  readonly reliability: number;
}

/**
 * How probably each of the labels is right, given who gave it, if one of them is: proportional to e to the sum of the
 * weights behind it, which is Dawid and Skene's posterior. Sums to 1; empty without labels.
 */
export function labelPosteriors(
  labels: readonly WeighedLabel[],
  classes: number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { key, reliability } of labels) {
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + logOddsWeight(reliability, classes));
  }
  const top = Math.max(...sums.values());
  const likelihoods = [...sums].map(([key, sum]) => [key, Math.exp(sum - top)] as const);
  const total = likelihoods.reduce((sum, [, value]) => sum + value, 0);
  return new Map(likelihoods.map(([key, value]) => [key, value / total]));
}

/**
 * How probably `key` is the right one of M answers, given who gave which: Dawid and Skene's posterior with answers that
 * nobody gave counted in, so that a single label is as probable as its agent is reliable. 0 to 1; 1/M without labels.
 */
export function posteriorOf(key: string, labels: readonly WeighedLabel[], classes: number): number {
  const given = new Set(labels.flatMap((label) => label.key ?? []));
  const sumOf = (answer: string) =>
    labels.reduce(
      (sum, label) => sum + (label.key === answer ? logOddsWeight(label.reliability, classes) : 0),
      0,
    );
  const sums = [...new Set([key, ...given])].map(sumOf);
  // What nobody gave has a weight of 0.
  const top = Math.max(0, ...sums);
  const unnamed = Math.max(0, classes - sums.length);
  const total = sums.reduce((sum, each) => sum + Math.exp(each - top), unnamed * Math.exp(-top));
  return Math.exp(sumOf(key) - top) / total;
}
