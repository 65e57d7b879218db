import type { Complex } from './complex.ts';
import { describeValue } from './describe-value.ts';

/** The distinct smooth pieces along a line, by their values, and the places where they meet. */
export interface LinePieces {
  values: Array<Complex | null>;
  breaks: string[];
}

/**
 * The values of each interval in turn, where it is in the domain and does not only continue the one before; what ends at a
 * firm cut is not continued.
 */
export function collectPieces(
  cuts: readonly number[],
  firm: (cut: number, near: number) => boolean,
  valuesAt: (t: number) => Array<Complex | null> | 'outside' | null,
): LinePieces | null {
  const pieces: LinePieces = { values: [], breaks: [] };
  let last: string | null = null;
  for (const [low, high] of gaps(cuts)) {
    const values = valuesAt(inside(low, high));
    if (values === null) return null;
    if (values === 'outside') continue;
    const text = values.map((value) => (value === null ? '*' : describeValue(value))).join(';');
    if (text === last && !firm(low, inside(low, high))) continue;
    if (last !== null) pieces.breaks.push(Math.abs(low) < 1e-9 ? '0' : low.toPrecision(9));
    pieces.values.push(...values);
    last = text;
  }
  return last === null ? null : pieces;
}

/** The intervals that the cuts leave. */
export function gaps(cuts: readonly number[]): Array<readonly [low: number, high: number]> {
  const ends = [Number.NEGATIVE_INFINITY, ...cuts, Number.POSITIVE_INFINITY];
  return ends.slice(1).map((high, i) => [ends[i] ?? high, high] as const);
}

/** A place between two cuts. */
export function inside(low: number, high: number): number {
  if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
  if (Number.isFinite(high)) return high - 0.61 - Math.abs(high) / 16;
  return Number.isFinite(low) ? low + 0.61 + Math.abs(low) / 16 : 0.61;
}
