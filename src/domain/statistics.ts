/** Count, mean and sum of squared deviations of some values. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

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

/** Standard deviation with denominator n; null without values. */
export function populationStd({ count, squares }: Moments): number | null {
  return count === 0 ? null : Math.sqrt(squares / count);
}

/** Standard deviation with denominator n - 1 (as `torch.std`); null for fewer than two values. */
export function unbiasedStd({ count, squares }: Moments): number | null {
  return count < 2 ? null : Math.sqrt(squares / (count - 1));
}
