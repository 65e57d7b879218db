import type { WeighedLabel } from '../../domain/plan.ts';

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

/**
 * How probably each of the labels is right, given who gave it, if one of them is: proportional to e to the sum of the
 * weights behind it, which is Dawid and Skene's posterior. Sums to 1; empty without labels.
 */
export function labelPosteriors(
  labels: readonly WeighedLabel[],
  classes: number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const label of labels) {
    if (label.key !== null) sums.set(label.key, (sums.get(label.key) ?? 0) + weightOf(label, classes));
  }
  const top = Math.max(...sums.values());
  const likelihoods = [...sums].map(([key, sum]) => [key, Math.exp(sum - top)] as const);
  const total = likelihoods.reduce((sum, [, value]) => sum + value, 0);
  return new Map(likelihoods.map(([key, value]) => [key, value / total]));
}

function weightOf({ reliability, part = 1 }: WeighedLabel, classes: number): number {
  return part * logOddsWeight(reliability, classes);
}

/**
 * How probably `key` is the right one of M answers, given who gave which: Dawid and Skene's posterior with answers that
 * nobody gave counted in, so that a single label is as probable as its agent is reliable. 0 to 1; 1/M without labels.
 */
export function posteriorOf(key: string, labels: readonly WeighedLabel[], classes: number): number {
  return answerPosteriors(labels, classes)(key);
}

/** The same for any answer, when several are asked for. */
export function answerPosteriors(labels: readonly WeighedLabel[], classes: number): (key: string) => number {
  const sums = new Map<string, number>();
  for (const label of labels) {
    if (label.key !== null) sums.set(label.key, (sums.get(label.key) ?? 0) + weightOf(label, classes));
  }
  // What nobody gave has a weight of 0.
  const top = Math.max(0, ...sums.values());
  let total = 0;
  for (const sum of sums.values()) total += Math.exp(sum - top);
  const unnamed = Math.exp(-top);
  return (key) => {
    const sum = sums.get(key);
    const answers = sums.size + (sum === undefined ? 1 : 0);
    const rest = Math.max(0, classes - answers) + (sum === undefined ? 1 : 0);
    return (sum === undefined ? unnamed : Math.exp(sum - top)) / (total + rest * unnamed);
  };
}
