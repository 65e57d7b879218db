/** Count, mean and sum of squared deviations of some values: merges exactly, in any order and grouping. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

export const NO_VALUES: Moments = { count: 0, mean: 0, squares: 0 };

/** One pass (Welford), so that equal values have a deviation of exactly 0. */
export function momentsOf(values: readonly number[]): Moments {
  let mean = 0;
  let squares = 0;
  for (const [before, value] of values.entries()) {
    const delta = value - mean;
    mean += delta / (before + 1);
    squares += delta * (value - mean);
  }
  return { count: values.length, mean, squares };
}

/** Moments of both sets of values together (Chan, Golub and LeVeque 1979). */
export function mergeMoments(a: Moments, b: Moments): Moments {
  const count = a.count + b.count;
  if (count === 0) return NO_VALUES;
  const delta = b.mean - a.mean;
  const share = b.count / count;
  return {
    count,
    mean: a.mean + delta * share,
    squares: a.squares + b.squares + delta * delta * a.count * share,
  };
}

/** Standard deviation with denominator n; null without values. */
export function populationStd({ count, squares }: Moments): number | null {
  return count === 0 ? null : Math.sqrt(squares / count);
}

/** Standard deviation with denominator n - 1 (as `torch.std`); null for fewer than two values. */
export function unbiasedStd({ count, squares }: Moments): number | null {
  return count < 2 ? null : Math.sqrt(squares / (count - 1));
}
