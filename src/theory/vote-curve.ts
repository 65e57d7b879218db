import { binomialPmf, expectBinomial } from './binomial.ts';

/**
 * What a tied vote of an even K counts as. `half`: right in half of the cases, which is also what random and
 * first-seen ties come to; `strict`: wrong; `lenient`: right.
 */
export type TieRule = 'half' | 'strict' | 'lenient';

const TIE_VALUE: Readonly<Record<TieRule, number>> = { half: 0.5, strict: 0, lenient: 1 };

/** V_K(p): how often the majority of K binary answers is right, each right with probability `p`; 0 to 1. */
export function voteAccuracy(k: number, p: number, tie: TieRule = 'half'): number {
  return expectBinomial(k, p, (c) => (2 * c === k ? TIE_VALUE[tie] : 2 * c > k ? 1 : 0));
}

/** φ_K(p) = 2 V_K(p) − 1 = E sign(C − K/2): what a label pulls towards, −1 to 1. */
export function pull(k: number, p: number, tie: TieRule = 'half'): number {
  const pmf = binomialPmf(k, p);
  const atTie = 2 * TIE_VALUE[tie] - 1;
  // Mirrored counts are taken off each other first: 2V − 1 would lose every digit near p = 1/2.
  let sum = 0;
  for (let c = 0; 2 * c <= k; c++) {
    const low = pmf[c] ?? 0;
    sum += 2 * c === k ? atTie * low : (pmf[k - c] ?? 0) - low;
  }
  return sum;
}

/** h_K(p) = E √(C(K−C)) / K: the mean spread of a group's rewards, 0 to 1/2. */
export function meanSpread(k: number, p: number): number {
  return expectBinomial(k, p, (c) => Math.sqrt(c * (k - c))) / k;
}

/** q_K(p) = η p (1−p) h_K(p): how fast p follows a label that is always right. */
export function speed(k: number, p: number, eta = 1): number {
  return eta * p * (1 - p) * meanSpread(k, p);
}

/** E sign(C − K/2) √(C(K−C)) / K: the log-odds drift, at η = 1, of an agent that is rewarded by its own vote. */
export function selfPull(k: number, p: number): number {
  return expectBinomial(k, p, (c) => Math.sign(2 * c - k) * Math.sqrt(c * (k - c))) / k;
}

/** φ_K'(1/2) = 2m·C(m−1, (m−1)/2)·2^−(m−1), with m = K, or K−1 where K is even. */
export function pullSlopeAtHalf(k: number): number {
  const m = k % 2 === 0 ? k - 1 : k;
  return 2 * m * (binomialPmf(m - 1, 0.5)[(m - 1) / 2] ?? 0);
}

/** λ = q_K(1/2) φ_K'(1/2): how fast two agents near p = 1/2 leave it together, and how fast they agree. */
export function rateAtHalf(k: number, eta = 1): number {
  return speed(k, 0.5, eta) * pullSlopeAtHalf(k);
}

/** The p with V_K(p) = 1/2 between 0 and 1: 1/2 itself, but where ties count as wrong or right. */
export function evenPoint(k: number, tie: TieRule): number {
  return bisect((p) => pull(k, p, tie), 0, 1);
}

/** Where the rising `f` changes its sign between `low` and `high`, to `tolerance`. */
export function bisect(
  f: (x: number) => number,
  low: number,
  high: number,
  tolerance = Number.EPSILON,
): number {
  let [a, b] = [low, high];
  for (let step = 0; step < 200 && b - a > tolerance; step++) {
    const middle = (a + b) / 2;
    if (f(middle) < 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}
