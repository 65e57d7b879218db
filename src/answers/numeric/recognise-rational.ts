import { makeRational, type Rational } from '../math/rational.ts';
import { DD_ONE, type DoubleDouble, divide, fromNumber, subtract } from './double-double.ts';

const MAX_DENOMINATOR = 1e6;
const MAX_SIZE = 1e12;
/** How near a value must be to the fraction: far below what chance allows, far above the arithmetic's error. */
const TOLERANCE = 1e-23;

/**
 * The fraction with a small denominator that a real number equals to 23 digits, or null. Irrational-looking
 * constants such as √4 or log_2 8 become exact by this.
 */
export function recogniseRational(value: DoubleDouble, error: number): Rational | null {
  const size = Math.abs(value.high);
  if (!(size < MAX_SIZE) || error > TOLERANCE * Math.max(1, size)) return null;
  if (size !== 0 && size < 1e-9) return null;
  let rest = value;
  let [top, lastTop, bottom, lastBottom] = [1n, 0n, 0n, 1n];
  for (let i = 0; i < 24; i += 1) {
    const whole = floorOf(rest);
    [top, lastTop] = [whole * top + lastTop, top];
    [bottom, lastBottom] = [whole * bottom + lastBottom, bottom];
    if (Number(bottom) > MAX_DENOMINATOR) return null;
    const fraction = subtract(rest, fromNumber(Number(whole)));
    // An error of ε in the value is one of ε times the square of the denominator here.
    const noise = TOLERANCE * Math.max(1, size) * Number(bottom) ** 2;
    if (Math.abs(fraction.high) <= noise) return makeRational(top, bottom);
    if (Math.abs(fraction.high - 1) <= noise) return makeRational(top + lastTop, bottom + lastBottom);
    rest = divide(DD_ONE, fraction);
    if (!(Math.abs(rest.high) < 1e15)) return null;
  }
  return null;
}

function floorOf(value: DoubleDouble): bigint {
  const high = Math.floor(value.high);
  return BigInt(high === value.high && value.low < 0 ? high - 1 : high);
}
