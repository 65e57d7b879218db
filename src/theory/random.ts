/** Uniform numbers from 0 (included) to 1 (excluded). Injected, so that a seed repeats a run. */
export type Random = () => number;

/** A draw of Bin(n, p): n coins. */
export function drawBinomial(n: number, p: number, random: Random): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (random() < p) count++;
  return count;
}

/** A draw of Beta(a, b) for whole a and b >= 1: the a-th smallest of a + b − 1 uniform numbers. */
export function drawBeta(a: number, b: number, random: Random): number {
  const uniform = Array.from({ length: a + b - 1 }, random).sort((x, y) => x - y);
  return uniform[a - 1] ?? 0;
}
