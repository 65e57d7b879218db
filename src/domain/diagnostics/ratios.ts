/** The two sums behind a rate or mean. They add up over groups, steps and replicas; rates do not. */
export interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
}

/** Sums by metric name. A Map, since names contain agents' names. */
export type Ratios = ReadonlyMap<string, Ratio>;

/** A rate with what it was taken of; `value` is null where that is nothing. */
export interface Rate extends Ratio {
  readonly value: number | null;
}

/** Whether a grade function calls an answer right; passed in, so that this folder knows no grader. */
export type Grade = (answer: string, truth: string) => boolean;

/** One case of a rate: hit, miss, or null when it does not count at all. */
export function countCase(hit: boolean | null): Ratio {
  return { numerator: hit === true ? 1 : 0, denominator: hit === null ? 0 : 1 };
}

/** Sum of both, name by name. A name that one lacks keeps the other's sums. */
export function addRatios(a: Ratios, b: Ratios): Ratios {
  const sum = new Map(a);
  for (const [name, { numerator, denominator }] of b) {
    const known = sum.get(name) ?? { numerator: 0, denominator: 0 };
    sum.set(name, {
      numerator: known.numerator + numerator,
      denominator: known.denominator + denominator,
    });
  }
  return sum;
}

export function toRate({ numerator, denominator }: Ratio): Rate {
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator };
}

/** As the reference implementations log it: a rate of nothing is 0.0. */
export function compatValue({ numerator, denominator }: Ratio): number {
  return denominator === 0 ? 0 : numerator / denominator;
}
