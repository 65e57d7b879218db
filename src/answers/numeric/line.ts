import { makeRational, ONE, type Rational, toNumber, ZERO } from '../math/rational.ts';
import { type Complex, real } from './complex.ts';
import { hashName } from './sample-points.ts';

/** A straight line through the space of the variables: the value of each is `offset + slope · t`. */
export type Line = ReadonlyMap<string, Place>;

interface Place {
  readonly offset: Rational;
  readonly slope: Rational;
}

/** Expressions in more variables than this are not followed along lines. */
const MAX_NAMES = 5;
const OBLIQUE_LINES = 2;

const AXIS: Place = { offset: ZERO, slope: ONE };

/**
 * Lines that depend on the names alone: one along the axis of each variable, near the other axes, and for several two
 * across. The `others`, which nothing breaks at, take any values. Null for too many variables.
 */
export function linesThrough(names: readonly string[], others: readonly string[]): Line[] | null {
  if (names.length > MAX_NAMES) return null;
  const free = others.map((name) => [name, oblique(name, 0)] as const);
  const along = names.map(
    (axis) =>
      new Map([
        ...names.map(
          (name) => [name, name === axis ? AXIS : { offset: besideZero(name), slope: ZERO }] as const,
        ),
        ...free,
      ]),
  );
  if (names.length < 2) return along;
  const across = Array.from(
    { length: OBLIQUE_LINES },
    (_, i) => new Map([...names.map((name) => [name, oblique(name, i)] as const), ...free]),
  );
  return [...along, ...across];
}

/** A small positive value, so that roots of the other variables are real. */
function besideZero(name: string): Rational {
  const { num, den } = fraction(name, 11, 128n);
  return { num: num < 0n ? -num : num, den };
}

function oblique(name: string, i: number): Place {
  return { offset: fraction(name, 13 + i, 64n), slope: fraction(name, 17 + i, 16n) };
}

/** The values of the variables at `t`. */
export function pointOn(line: Line, t: number): Map<string, Complex> {
  const point = new Map<string, Complex>();
  for (const [name, { offset, slope }] of line)
    point.set(name, real({ high: toNumber(offset) + toNumber(slope) * t, low: 0 }, 0));
  return point;
}

/** A fraction with the given denominator and an odd numerator of up to 32 in size, which a double holds exactly. */
function fraction(name: string, seed: number, den: bigint): Rational {
  const hash = hashName(name, seed);
  const size = BigInt(2 * (hash % 16) + 1);
  return makeRational((hash >>> 8) % 2 === 0 ? size : -size, den) ?? ONE;
}
