import {
  addComplex,
  type Complex,
  complex,
  divideComplex,
  isZero,
  magnitude,
  multiplyComplex,
  NOT_A_NUMBER,
  negateComplex,
  ONE,
  powerInteger,
  real,
} from './complex.ts';
import { absolute, add, DD_ZERO, multiply, negate, scale, squareRoot } from './double-double.ts';
import { arcTangent, exponential, FUNCTION_UNIT, logarithm, PI, sineCosine } from './elementary.ts';

const I: Complex = { re: DD_ZERO, im: { high: 1, low: 0 }, error: 0 };
const HALF_PI = scale(PI, 0.5);
/** Below this power of e a double has no digits left for its second half. */
const MIN_EXPONENT = -600;
const TWO: Complex = { re: { high: 2, low: 0 }, im: null, error: 0 };

export function exp(a: Complex): Complex {
  // What is too small for its digits is no zero.
  if (a.re.high < MIN_EXPONENT) return NOT_A_NUMBER;
  const size = exponential(a.re);
  const error = Math.abs(size.high) * (a.error + FUNCTION_UNIT);
  if (a.im === null) return { re: size, im: null, error };
  const { sine, cosine } = sineCosine(a.im);
  return complex(multiply(size, cosine), multiply(size, sine), error);
}

/** Principal logarithm. */
export function ln(a: Complex): Complex {
  if (isZero(a)) return NOT_A_NUMBER;
  const size = magnitude(a);
  const error = a.error / size + FUNCTION_UNIT * (1 + Math.abs(Math.log(size)));
  if (a.im === null && a.re.high > 0) return complex(logarithm(a.re), null, error);
  const im = a.im ?? DD_ZERO;
  const square = add(multiply(a.re, a.re), multiply(im, im));
  return complex(scale(logarithm(square), 0.5), arcTangent(im, a.re), error);
}

/** Principal square root. */
export function sqrt(a: Complex): Complex {
  if (isZero(a)) return a;
  const root = Math.sqrt(magnitude(a));
  const error = a.error / (2 * root) + root * FUNCTION_UNIT;
  if (a.im === null) {
    const value = squareRoot(absolute(a.re));
    return a.re.high > 0 ? { re: value, im: null, error } : { re: DD_ZERO, im: value, error };
  }
  return exp(multiplyComplex(ln(a), { re: { high: 0.5, low: 0 }, im: null, error: 0 }));
}

/** `base ^ exponent`, principal value. */
export function power(base: Complex, exponent: Complex): Complex {
  if (exponent.im === null && exponent.re.low === 0 && Number.isInteger(exponent.re.high)) {
    if (Math.abs(exponent.re.high) < 2 ** 31) return powerInteger(base, exponent.re.high);
  }
  if (isZero(base)) return exponent.im === null && exponent.re.high > 0 ? base : NOT_A_NUMBER;
  return exp(multiplyComplex(exponent, ln(base)));
}

/** The real n-th root of a positive number, n ≥ 1. */
export function rootOfPositive(a: Complex, n: number): Complex {
  if (n === 2) return sqrt(a);
  return exp(divideComplex(ln(a), real({ high: n, low: 0 }, 0)));
}

export function sinCos(a: Complex): { sine: Complex; cosine: Complex } {
  if (a.im === null) {
    const { sine, cosine } = sineCosine(a.re);
    const error = a.error + FUNCTION_UNIT;
    return { sine: complex(sine, null, error), cosine: complex(cosine, null, error) };
  }
  const plus = exp(multiplyComplex(I, a));
  const minus = divideComplex(ONE, plus);
  const sine = divideComplex(addComplex(plus, negateComplex(minus)), multiplyComplex(TWO, I));
  return { sine, cosine: divideComplex(addComplex(plus, minus), TWO) };
}

export function sinhCosh(a: Complex): { sinh: Complex; cosh: Complex } {
  const plus = exp(a);
  const minus = divideComplex(ONE, plus);
  return {
    sinh: divideComplex(addComplex(plus, negateComplex(minus)), TWO),
    cosh: divideComplex(addComplex(plus, minus), TWO),
  };
}

/** Inverse sine of a real number in [-1, 1]; NaN elsewhere. */
export function asin(a: Complex): Complex {
  if (a.im !== null || Math.abs(a.re.high) > 1) return NOT_A_NUMBER;
  if (Math.abs(a.re.high) === 1 && a.re.low === 0)
    return complex(scale(HALF_PI, a.re.high), null, FUNCTION_UNIT);
  const rest = add({ high: 1, low: 0 }, negate(multiply(a.re, a.re)));
  const cosine = squareRoot(rest.high < 0 ? DD_ZERO : rest);
  const steep = Math.max(cosine.high, 1e-12);
  return complex(arcTangent(a.re, cosine), null, a.error / steep + FUNCTION_UNIT);
}

/** Inverse tangent of a real number; NaN elsewhere. */
export function atan(a: Complex): Complex {
  if (a.im !== null) return NOT_A_NUMBER;
  return complex(arcTangent(a.re, { high: 1, low: 0 }), null, a.error + FUNCTION_UNIT);
}
