import {
  add,
  DD_ONE,
  DD_ZERO,
  type DoubleDouble,
  divide,
  fromInteger,
  fromNumber,
  multiply,
  negate,
  scale,
  subtract,
} from './double-double.ts';

export const PI: DoubleDouble = { high: Math.PI, low: 1.2246467991473532e-16 };
export const E: DoubleDouble = { high: Math.E, low: 1.4456468917292502e-16 };
export const LN10: DoubleDouble = { high: Math.LN10, low: -2.1707562233822494e-16 };
const LN2_PARTS = [Math.LN2, 2.3190468138462996e-17, 5.707708438416212e-34];
const HALF_PI_PARTS = [Math.PI / 2, 6.123233995736766e-17, -1.4973849048591698e-33];

/** Relative error of the functions here, with room. */
export const FUNCTION_UNIT = 2 ** -90;

const INVERSE_FACTORIALS: DoubleDouble[] = [];
for (let n = 0, factorial = 1n; n <= 30; n += 1, factorial *= BigInt(n)) {
  INVERSE_FACTORIALS.push(divide(DD_ONE, fromInteger(factorial)));
}

export function exponential(a: DoubleDouble): DoubleDouble {
  if (a.high > 709) return fromNumber(Number.POSITIVE_INFINITY);
  if (a.high < -740) return DD_ZERO;
  const k = Math.round(a.high / Math.LN2);
  const rest = scale(removeMultiple(a, k, LN2_PARTS), 1 / 512);
  let sum = taylor(rest, 10);
  for (let i = 0; i < 9; i += 1) sum = multiply(sum, sum);
  // In two steps, since the power of two may itself be out of range.
  const half = Math.trunc(k / 2);
  return scalePower(scalePower(sum, half), k - half);
}

/** Natural logarithm of a positive number, by one Newton step from the double. */
export function logarithm(a: DoubleDouble): DoubleDouble {
  const guess = Math.log(a.high);
  if (!Number.isFinite(guess)) return fromNumber(guess);
  const rest = subtract(multiply(a, exponential(fromNumber(-guess))), DD_ONE);
  const second = subtract(rest, scale(multiply(rest, rest), 0.5));
  return add(fromNumber(guess), second);
}

export function sineCosine(a: DoubleDouble): { sine: DoubleDouble; cosine: DoubleDouble } {
  if (!(Math.abs(a.high) < 1e8)) return { sine: fromNumber(Number.NaN), cosine: fromNumber(Number.NaN) };
  const k = Math.round(a.high / (Math.PI / 2));
  const rest = removeMultiple(a, k, HALF_PI_PARTS);
  const sine = alternating(rest, 1);
  const cosine = alternating(rest, 0);
  switch (((k % 4) + 4) % 4) {
    case 0:
      return { sine, cosine };
    case 1:
      return { sine: cosine, cosine: negate(sine) };
    case 2:
      return { sine: negate(sine), cosine: negate(cosine) };
    default:
      return { sine: negate(cosine), cosine: sine };
  }
}

/** The angle of the point (x, y), in (-π, π]. */
export function arcTangent(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  if (y.high === 0) return x.high < 0 ? PI : DD_ZERO;
  const guess = Math.atan2(y.high, x.high);
  const { sine, cosine } = sineCosine(fromNumber(guess));
  const across = subtract(multiply(y, cosine), multiply(x, sine));
  const along = add(multiply(x, cosine), multiply(y, sine));
  return add(fromNumber(guess), divide(across, along));
}

/** `a - k * (sum of parts)`, each part subtracted on its own so that large k keep their digits. */
function removeMultiple(a: DoubleDouble, k: number, parts: readonly number[]): DoubleDouble {
  let rest = a;
  for (const part of parts) rest = subtract(rest, multiply(fromNumber(part), fromNumber(k)));
  return rest;
}

function scalePower(a: DoubleDouble, exponent: number): DoubleDouble {
  const factor = 2 ** exponent;
  return { high: a.high * factor, low: a.low * factor };
}

function taylor(x: DoubleDouble, terms: number): DoubleDouble {
  let sum = DD_ZERO;
  for (let n = terms; n >= 0; n -= 1) sum = add(multiply(sum, x), INVERSE_FACTORIALS[n] ?? DD_ZERO);
  return sum;
}

/** The sine series from the first power, or the cosine series from the zeroth. */
function alternating(x: DoubleDouble, first: 0 | 1): DoubleDouble {
  const square = negate(multiply(x, x));
  let sum = DD_ZERO;
  for (let n = 28 + first; n >= first; n -= 2)
    sum = add(multiply(sum, square), INVERSE_FACTORIALS[n] ?? DD_ZERO);
  return first === 1 ? multiply(sum, x) : sum;
}
