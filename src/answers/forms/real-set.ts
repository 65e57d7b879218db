import type { Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { compareReal } from './compare-scalars.ts';

/** An interval of the real line, or a point where both ends are equal and closed. */
export interface Interval {
  low: Scalar;
  high: Scalar;
  lowClosed: boolean;
  highClosed: boolean;
}

/** Disjoint, separated intervals from left to right. */
export type RealSet = readonly Interval[];

const MINUS_INFINITY: Scalar = { kind: 'infinite', negative: true };
const INFINITY: Scalar = { kind: 'infinite', negative: false };

export const REAL_LINE: RealSet = [
  { low: MINUS_INFINITY, high: INFINITY, lowClosed: false, highClosed: false },
];

/** An interval; null where it holds nothing. The bracket at an infinite end says nothing. */
export function interval(
  low: Scalar,
  high: Scalar,
  lowClosed: boolean,
  highClosed: boolean,
): Interval | null {
  const order = compareReal(low, high);
  if (order > 0 || (order === 0 && !(lowClosed && highClosed))) return null;
  return {
    low,
    high,
    lowClosed: lowClosed && low.kind !== 'infinite',
    highClosed: highClosed && high.kind !== 'infinite',
  };
}

export function point(value: Scalar): Interval {
  return { low: value, high: value, lowClosed: true, highClosed: true };
}

export function isPoint(piece: Interval): boolean {
  return piece.low.kind !== 'infinite' && compareReal(piece.low, piece.high) === 0;
}

/** All that lies below, above or away from a bound. */
export function ray(operator: string, bound: Scalar): RealSet {
  switch (operator) {
    case '<':
    case 'le':
      return keep([interval(MINUS_INFINITY, bound, false, operator === 'le')]);
    case '>':
    case 'ge':
      return keep([interval(bound, INFINITY, operator === 'ge', false)]);
    default:
      return complement([point(bound)]);
  }
}

export function union(a: RealSet, b: RealSet): RealSet {
  return mergeAll([a, b]);
}

export function mergeAll(sets: readonly RealSet[]): RealSet {
  const pieces = sets
    .flat()
    .sort((x, y) => compareReal(x.low, y.low) || Number(y.lowClosed) - Number(x.lowClosed));
  const merged: Interval[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last === undefined || isApart(last, piece)) {
      merged.push({ ...piece });
      continue;
    }
    const order = compareReal(piece.high, last.high);
    if (order > 0) {
      last.high = piece.high;
      last.highClosed = piece.highClosed;
    } else if (order === 0) last.highClosed = last.highClosed || piece.highClosed;
  }
  return merged;
}

export function complement(set: RealSet): RealSet {
  const gaps: Array<Interval | null> = [];
  let low: Scalar = MINUS_INFINITY;
  let lowClosed = false;
  for (const piece of set) {
    gaps.push(interval(low, piece.low, lowClosed, !piece.lowClosed));
    low = piece.high;
    lowClosed = !piece.highClosed;
  }
  const toTheEnd = low.kind === 'infinite' && !low.negative;
  if (!toTheEnd) gaps.push(interval(low, INFINITY, lowClosed, false));
  return keep(gaps);
}

export function intersection(a: RealSet, b: RealSet): RealSet {
  return complement(union(complement(a), complement(b)));
}

export function difference(a: RealSet, b: RealSet): RealSet {
  return intersection(a, complement(b));
}

/** The key of a set; that of one interval is that of the pair with its brackets. */
export function realSetKey(set: RealSet): string {
  return set.map(intervalKey).join('u');
}

function intervalKey(piece: Interval): string {
  if (isPoint(piece)) return `{${scalarKey(piece.low)}}`;
  return `${piece.lowClosed ? '[' : '('}${scalarKey(piece.low)},${scalarKey(piece.high)}${piece.highClosed ? ']' : ')'}`;
}

function isApart(left: Interval, right: Interval): boolean {
  const order = compareReal(left.high, right.low);
  return order < 0 || (order === 0 && !left.highClosed && !right.lowClosed);
}

function keep(pieces: Array<Interval | null>): RealSet {
  return pieces.filter((piece) => piece !== null);
}
