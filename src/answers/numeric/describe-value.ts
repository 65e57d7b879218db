import { type Complex, isFiniteValue, magnitude } from './complex.ts';

/** Values whose relative error is larger than this are not compared: their digits are not their own. */
const MAX_RELATIVE_ERROR = 1e-20;

/**
 * A name for a value: its nearest doubles. Two computations of the same number agree in it, since their error
 * is some 10^-25 of it, and a double keeps 16 digits. Null where the value is not known that well.
 */
export function describeValue(value: Complex): string | null {
  if (!isFiniteValue(value)) return null;
  const size = magnitude(value);
  if (size !== 0 && value.error > size * MAX_RELATIVE_ERROR) return null;
  if (size === 0 && value.error > 1e-12) return null;
  const re = String(value.re.high + 0);
  return value.im === null ? re : `${re},${value.im.high}`;
}
