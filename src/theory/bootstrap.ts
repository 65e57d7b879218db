import type { Random } from './random.ts';

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How often each of `size` things is in one resample of as many, drawn with replacement. */
export function drawResample(size: number, random: Random): Uint16Array {
  const counts = new Uint16Array(size);
  for (let draw = 0; draw < size; draw++) {
    const at = Math.min(size - 1, Math.floor(random() * size));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** The percentile interval of a statistic from its values over resamples. */
export function percentileInterval(values: Float64Array): Interval {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

/** z of a two-sided test at 5 % plus z of a power of 80 %. */
const POWERED = 1.96 + 0.84;

/**
 * How many things must be compared for a mean difference to be told from 0 in four of five cases, if it and the spread
 * of single differences stay as they are. Null where the mean is 0: no number does.
 */
export function sizeNeeded(mean: number, std: number): number | null {
  return mean === 0 ? null : Math.ceil((POWERED * std) ** 2 / mean ** 2);
}
