/**
 * Double-double arithmetic: a number is the unevaluated sum of two doubles, about 31 decimal digits.
 * Algorithms: T. J. Dekker, A floating-point technique for extending the available precision (1971), and
 * D. E. Knuth, TAOCP vol. 2, 4.2.2.
 */
export interface DoubleDouble {
  readonly high: number;
  readonly low: number;
}

export const DD_ZERO: DoubleDouble = { high: 0, low: 0 };
export const DD_ONE: DoubleDouble = { high: 1, low: 0 };

/** Relative rounding error of one operation, with room. */
export const DD_UNIT = 2 ** -102;

const SPLITTER = 134217729;

export function fromNumber(value: number): DoubleDouble {
  return { high: value, low: 0 };
}

export function fromInteger(value: bigint): DoubleDouble {
  const high = Number(value);
  if (!Number.isFinite(high)) return { high, low: 0 };
  return quickTwoSum(high, Number(value - BigInt(high)));
}

export function add(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const sum = a.high + b.high;
  const shift = sum - a.high;
  const error = a.high - (sum - shift) + (b.high - shift);
  const low = a.low + b.low;
  const lowShift = low - a.low;
  const lowError = a.low - (low - lowShift) + (b.low - lowShift);
  const first = quickTwoSum(sum, error + low);
  return quickTwoSum(first.high, first.low + lowError);
}

export function negate(a: DoubleDouble): DoubleDouble {
  return { high: -a.high, low: -a.low };
}

export function subtract(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  return add(a, negate(b));
}

export function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const product = a.high * b.high;
  const error = productError(a.high, b.high, product);
  return quickTwoSum(product, error + (a.high * b.low + a.low * b.high));
}

export function scale(a: DoubleDouble, factor: number): DoubleDouble {
  return multiply(a, { high: factor, low: 0 });
}

export function divide(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const first = a.high / b.high;
  if (!Number.isFinite(first)) return { high: first, low: 0 };
  let rest = subtract(a, scale(b, first));
  const second = rest.high / b.high;
  rest = subtract(rest, scale(b, second));
  const third = rest.high / b.high;
  const sum = quickTwoSum(first, second);
  return add(sum, { high: third, low: 0 });
}

/** Square root of a non-negative number. */
export function squareRoot(a: DoubleDouble): DoubleDouble {
  if (a.high <= 0) return DD_ZERO;
  const root = Math.sqrt(a.high);
  const guess = { high: root, low: 0 };
  const rest = subtract(a, multiply(guess, guess));
  return add(guess, { high: rest.high / (2 * root), low: 0 });
}

export function absolute(a: DoubleDouble): DoubleDouble {
  return a.high < 0 ? negate(a) : a;
}

function quickTwoSum(a: number, b: number): DoubleDouble {
  const high = a + b;
  return { high, low: b - (high - a) };
}

/** The part of `a * b` that rounding lost (Veltkamp's split). */
function productError(a: number, b: number, product: number): number {
  if (Math.abs(a) > 1e290 || Math.abs(b) > 1e290) return 0;
  const aBig = SPLITTER * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = SPLITTER * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}
