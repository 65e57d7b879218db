import {
  add,
  DD_ONE,
  type DoubleDouble,
  divide,
  fromInteger,
  fromNumber,
  multiply,
  scale,
  subtract,
} from './double-double.ts';
import { exponential, logarithm } from './elementary.ts';

const HALF_LOG_TWO_PI: DoubleDouble = { high: 0.9189385332046728, low: -3.8782941580672414e-17 };

/** Bernoulli numbers B2, B4, …, B28. */
const BERNOULLI: ReadonlyArray<readonly [top: bigint, bottom: bigint]> = [
  [1n, 6n],
  [-1n, 30n],
  [1n, 42n],
  [-1n, 30n],
  [5n, 66n],
  [-691n, 2730n],
  [7n, 6n],
  [-3617n, 510n],
  [43867n, 798n],
  [-174611n, 330n],
  [854513n, 138n],
  [-236364091n, 2730n],
  [8553103n, 6n],
  [-23749461029n, 870n],
];

/** Stirling's series is used from here on. */
const SERIES_START = 27;

/** Γ(z) for real z between -100 and 170; NaN at its poles and elsewhere. */
export function gamma(z: DoubleDouble): DoubleDouble {
  if (!(z.high > -100 && z.high < 170)) return fromNumber(Number.NaN);
  let shifted = z;
  let product = DD_ONE;
  while (shifted.high < SERIES_START) {
    if (shifted.high === 0) return fromNumber(Number.NaN);
    product = multiply(product, shifted);
    shifted = add(shifted, DD_ONE);
  }
  return divide(exponential(logGammaSeries(shifted)), product);
}

/** Stirling's series (Abramowitz & Stegun 6.1.40). */
function logGammaSeries(z: DoubleDouble): DoubleDouble {
  const inverse = divide(DD_ONE, z);
  const square = multiply(inverse, inverse);
  let sum = subtract(multiply(subtract(z, fromNumber(0.5)), logarithm(z)), z);
  sum = add(sum, HALF_LOG_TWO_PI);
  let power = inverse;
  BERNOULLI.forEach(([top, bottom], i) => {
    const k = 2 * (i + 1);
    const coefficient = divide(fromInteger(top), scale(fromInteger(bottom), k * (k - 1)));
    sum = add(sum, multiply(coefficient, power));
    power = multiply(power, square);
  });
  return sum;
}
