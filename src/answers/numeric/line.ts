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
const MAX_NAMES = 4;

const AXIS: Place = { offset: ZERO, slope: ONE };

/**
 * Lines that depend on the names alone: one along the axis of each variable, near the other axes, and for several some
 * across. The `others`, which nothing breaks at, take any values. Null for too many variables.
 */
export function linesThrough(names: readonly string[], others: readonly string[]): Line[] | null {
  if (names.length > MAX_NAMES) return null;
  const free = others.map((name) => [name, oblique(name, 0, 1n, 0)] as const);
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
  // Across the quadrants, and with each variable growing faster than the others in turn.
  const across = Array.from(
    { length: names.length === 2 ? 4 : 6 },
    (_, i) =>
      new Map([
        ...names.map((name, j) => {
          const sign = j > 0 && ((i >> (j - 1)) & 1) === 1 ? -1n : 1n;
          const turn = names.length === 2 ? i >> 1 : i;
          return [name, oblique(name, i, sign, (j + turn) % names.length)] as const;
        }),
        ...free,
      ]),
  );
  return [...along, ...across];
}

/** A small positive value, so that roots of the other variables are real. */
function besideZero(name: string): Rational {
  const { num, den } = fraction(name, 11, 128n);
  return { num: num < 0n ? -num : num, den };
}

/** Slopes of different ranks are apart by more than a factor of two. */
function oblique(name: string, seed: number, sign: bigint, rank: number): Place {
  const size = BigInt(17 + 2 * (hashName(name, 17 + seed) % 7)) * 3n ** BigInt(rank);
  return { offset: fraction(name, 13 + seed, 64n), slope: { num: sign * size, den: 16n } };
}

/** The values of the variables at `t`. */
export function pointOn(line: Line, t: number): Map<string, Complex> {
  const point = new Map<string, Complex>();
  for (const [name, { offset, slope }] of line)
    point.set(name, real({ high: toNumber(offset) + toNumber(slope) * t, low: 0 }, 0));
  return point;
}

/** Where on the line a variable is zero. */
export function zerosOn(line: Line): number[] {
  return [...line.values()].flatMap(({ offset, slope }) =>
    slope.num === 0n ? [] : [-toNumber(offset) / toNumber(slope)],
  );
}

/** A fraction with the given denominator and an odd numerator of up to 32 in size, which a double holds exactly. */
function fraction(name: string, seed: number, den: bigint): Rational {
  const hash = hashName(name, seed);
  const size = BigInt(2 * (hash % 16) + 1);
  return makeRational((hash >>> 8) % 2 === 0 ? size : -size, den) ?? ONE;
}
