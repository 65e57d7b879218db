/**
 * P(Bin(n, p) = c) for c = 0 … n, which sum to 1. In logarithms, so that no n or p underflows to nothing on the way.
 * `n` whole and >= 0, `p` from 0 to 1.
 */
export function binomialPmf(n: number, p: number): readonly number[] {
  if (p <= 0) return Array.from({ length: n + 1 }, (_, c) => (c === 0 ? 1 : 0));
  if (p >= 1) return Array.from({ length: n + 1 }, (_, c) => (c === n ? 1 : 0));
  const logP = Math.log(p);
  const logQ = Math.log1p(-p);
  const pmf: number[] = [];
  let logChoose = 0;
  for (let c = 0; c <= n; c++) {
    pmf.push(Math.exp(logChoose + c * logP + (n - c) * logQ));
    logChoose += Math.log(n - c) - Math.log(c + 1);
  }
  return pmf;
}

/** E f(C) for C ~ Bin(n, p). */
export function expectBinomial(n: number, p: number, f: (c: number) => number): number {
  return binomialPmf(n, p).reduce((sum, weight, c) => (weight === 0 ? sum : sum + weight * f(c)), 0);
}

/** Distribution of the sum of independent counts, each given by its own distribution from 0 on. */
export function convolve(a: readonly number[], b: readonly number[]): readonly number[] {
  const sum = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, left] of a.entries()) {
    for (const [j, right] of b.entries()) sum[i + j] = (sum[i + j] ?? 0) + left * right;
  }
  return sum;
}
