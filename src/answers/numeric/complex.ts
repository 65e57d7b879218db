import {
  absolute,
  add,
  DD_ONE,
  DD_UNIT,
  DD_ZERO,
  type DoubleDouble,
  divide,
  fromInteger,
  multiply,
  negate,
  squareRoot,
} from './double-double.ts';

/** A complex number with a bound of its absolute error; `im` is null for a real one. */
export interface Complex {
  readonly re: DoubleDouble;
  readonly im: DoubleDouble | null;
  readonly error: number;
}

export const ONE: Complex = { re: DD_ONE, im: null, error: 0 };
export const NOT_A_NUMBER: Complex = { re: { high: Number.NaN, low: 0 }, im: null, error: 0 };

export function real(re: DoubleDouble, error = Math.abs(re.high) * DD_UNIT): Complex {
  return { re, im: null, error };
}

/** What is smaller than this many times its own error bound is zero. */
const ZERO_FACTOR = 64;

/** Builds a value; parts that drown in the error are exact zeros, so that cancellation leaves no dust. */
export function complex(re: DoubleDouble, im: DoubleDouble | null, error: number): Complex {
  const dust = error * ZERO_FACTOR;
  const cleanRe = Math.abs(re.high) <= dust ? DD_ZERO : re;
  const cleanIm = im === null || Math.abs(im.high) <= dust ? null : im;
  return { re: cleanRe, im: cleanIm, error };
}

export function fromRational(num: bigint, den: bigint): Complex {
  if (den === 1n) {
    const value = fromInteger(num);
    return { re: value, im: null, error: Math.abs(value.high) * DD_UNIT };
  }
  return real(divide(fromInteger(num), fromInteger(den)), undefined);
}

export function isFiniteValue(a: Complex): boolean {
  return (
    Number.isFinite(a.re.high) && (a.im === null || Number.isFinite(a.im.high)) && Number.isFinite(a.error)
  );
}

export function isZero(a: Complex): boolean {
  return a.re.high === 0 && a.im === null;
}

export function magnitude(a: Complex): number {
  return a.im === null ? Math.abs(a.re.high) : Math.hypot(a.re.high, a.im.high);
}

export function addComplex(a: Complex, b: Complex): Complex {
  const re = add(a.re, b.re);
  const im = a.im === null ? b.im : b.im === null ? a.im : add(a.im, b.im);
  return complex(re, im, a.error + b.error + (magnitude(a) + magnitude(b)) * DD_UNIT);
}

export function negateComplex(a: Complex): Complex {
  return { re: negate(a.re), im: a.im === null ? null : negate(a.im), error: a.error };
}

export function multiplyComplex(a: Complex, b: Complex): Complex {
  const sizeA = magnitude(a);
  const sizeB = magnitude(b);
  const error = sizeA * b.error + sizeB * a.error + a.error * b.error + sizeA * sizeB * DD_UNIT;
  if (a.im === null && b.im === null) return { re: multiply(a.re, b.re), im: null, error };
  const aIm = a.im ?? DD_ZERO;
  const bIm = b.im ?? DD_ZERO;
  const re = add(multiply(a.re, b.re), negate(multiply(aIm, bIm)));
  return complex(re, add(multiply(a.re, bIm), multiply(aIm, b.re)), error);
}

export function divideComplex(a: Complex, b: Complex): Complex {
  const sizeB = magnitude(b);
  if (sizeB === 0) return NOT_A_NUMBER;
  const size = magnitude(a) / sizeB;
  const error = (a.error + size * b.error) / sizeB + size * DD_UNIT * 4;
  if (a.im === null && b.im === null) return { re: divide(a.re, b.re), im: null, error };
  const bIm = b.im ?? DD_ZERO;
  const square = add(multiply(b.re, b.re), multiply(bIm, bIm));
  const top = multiplyComplex(a, { re: b.re, im: negate(bIm), error: b.error });
  return complex(divide(top.re, square), top.im === null ? null : divide(top.im, square), error);
}

/** |a| as a real number. */
export function absoluteComplex(a: Complex): Complex {
  if (a.im === null) return { re: absolute(a.re), im: null, error: a.error };
  const square = add(multiply(a.re, a.re), multiply(a.im, a.im));
  return real(squareRoot(square), a.error + magnitude(a) * DD_UNIT * 4);
}

/** `a` to an integer power up to 2^31, by squaring. */
export function powerInteger(a: Complex, exponent: number): Complex {
  let result = ONE;
  let square = a;
  for (let n = Math.abs(exponent); n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result = multiplyComplex(result, square);
    if (n > 1) square = multiplyComplex(square, square);
  }
  return exponent < 0 ? divideComplex(ONE, result) : result;
}
