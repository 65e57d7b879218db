import { bitLength, gcd, makeRational, ONE, powerRational, type Rational } from '../math/rational.ts';

const MAX_FACTORIAL = 3000n;
/** Roots and common divisors of larger numbers are not taken. */
const MAX_ROOT_BITS = 8192;

/** n! for an integer 0 ≤ n ≤ 3000, else null. */
export function exactFactorial(n: Rational): Rational | null {
  if (n.den !== 1n || n.num < 0n || n.num > MAX_FACTORIAL) return null;
  return makeRational(product(1, Number(n.num)));
}

/** The product of the integers from `from` to `to`; by halves, so that the factors stay balanced. */
function product(from: number, to: number): bigint {
  if (from > to) return 1n;
  if (to - from < 8) {
    let result = 1n;
    for (let i = from; i <= to; i += 1) result *= BigInt(i);
    return result;
  }
  const middle = Math.floor((from + to) / 2);
  return product(from, middle) * product(middle + 1, to);
}

/** n over k for integers 0 ≤ k ≤ n ≤ 3000, else null. */
export function exactBinomial(n: Rational, k: Rational): Rational | null {
  if (n.den !== 1n || k.den !== 1n || n.num < 0n || n.num > MAX_FACTORIAL || k.num < 0n) return null;
  if (k.num > n.num) return { num: 0n, den: 1n };
  const small = Number(k.num * 2n > n.num ? n.num - k.num : k.num);
  const top = Number(n.num);
  return makeRational(product(top - small + 1, top) / product(1, small));
}

/** The real n-th root where it is rational, else null; of a negative number for odd n only. */
export function exactRoot(value: Rational, n: number): Rational | null {
  if (!Number.isInteger(n) || n < 1 || n > 64) return null;
  const negative = value.num < 0n;
  if (negative && n % 2 === 0) return null;
  const num = integerRoot(negative ? -value.num : value.num, n);
  const den = integerRoot(value.den, n);
  if (num === null || den === null) return null;
  return { num: negative ? -num : num, den };
}

function integerRoot(value: bigint, n: number): bigint | null {
  if (value < 2n || n === 1) return value;
  const bits = bitLength(value);
  if (bits > MAX_ROOT_BITS) return null;
  const degree = BigInt(n);
  let guess = 1n << BigInt(Math.ceil(bits / n) + 1);
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) break;
    guess = next;
  }
  return guess ** degree === value ? guess : null;
}

/** `base` to a rational power where the result is rational, else null. */
export function exactPower(base: Rational, exponent: Rational): Rational | null {
  if (exponent.den === 1n) return powerRational(base, exponent.num);
  if (exponent.den > 64n) return null;
  const root = exactRoot(base, Number(exponent.den));
  return root === null ? null : powerRational(root, exponent.num);
}

export function exactGcd(values: Rational[]): Rational | null {
  if (values.some((value) => value.den !== 1n || bitLength(value.num) > MAX_ROOT_BITS)) return null;
  return { num: values.map((value) => value.num).reduce((a, b) => gcd(abs(a), abs(b)), 0n), den: 1n };
}

export function exactLcm(values: Rational[]): Rational | null {
  if (
    values.length === 0 ||
    values.some((value) => value.den !== 1n || value.num === 0n || bitLength(value.num) > MAX_ROOT_BITS)
  )
    return null;
  let result = ONE.num;
  for (const { num } of values) result = (result / gcd(result, abs(num))) * abs(num);
  return makeRational(result);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
