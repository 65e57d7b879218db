/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

export const ZERO: Rational = { num: 0n, den: 1n };
export const ONE: Rational = { num: 1n, den: 1n };

/** No numerator or denominator grows beyond this many bits; results that would are null. */
const MAX_BITS = 2 ** 17;

/** Of a fraction, the smaller part stays below this: reducing two large parts costs their product. */
const MAX_FRACTION_BITS = 2 ** 13;

/** Reduces `num / den`; null where the denominator is zero or the result is over the bit budget. */
export function makeRational(num: bigint, den = 1n): Rational | null {
  if (den === 0n) return null;
  if (den === 1n) return withinBudget(num) ? { num, den } : null;
  if (Math.min(bitLength(num), bitLength(den)) > MAX_FRACTION_BITS) return null;
  const divisor = gcd(num < 0n ? -num : num, den < 0n ? -den : den);
  const sign = den < 0n ? -1n : 1n;
  const reduced = { num: (sign * num) / divisor, den: (sign * den) / divisor };
  return withinBudget(reduced.num) && withinBudget(reduced.den) ? reduced : null;
}

export function fromInteger(value: bigint | number): Rational {
  return { num: BigInt(value), den: 1n };
}

export function addRational(a: Rational, b: Rational): Rational | null {
  if (a.den === b.den) return makeRational(a.num + b.num, a.den);
  return makeRational(a.num * b.den + b.num * a.den, a.den * b.den);
}

export function multiplyRational(a: Rational, b: Rational): Rational | null {
  return makeRational(a.num * b.num, a.den * b.den);
}

export function divideRational(a: Rational, b: Rational): Rational | null {
  return makeRational(a.num * b.den, a.den * b.num);
}

export function negateRational(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}

/** `base` to an integer power, null for 0 to a negative power and beyond the bit budget. */
export function powerRational(base: Rational, exponent: bigint): Rational | null {
  if (exponent === 0n) return base.num === 0n ? null : ONE;
  if (base.num === 0n) return exponent > 0n ? ZERO : null;
  const size = exponent < 0n ? -exponent : exponent;
  const unit = base.den === 1n && (base.num === 1n || base.num === -1n);
  if (unit) return base.num === 1n || size % 2n === 0n ? ONE : base;
  const bits = BigInt(Math.max(bitLength(base.num), bitLength(base.den)));
  if ((bits - 1n) * size > BigInt(MAX_BITS)) return null;
  const num = base.num ** size;
  const den = base.den ** size;
  return exponent > 0n ? makeRational(num, den) : makeRational(den, num);
}

export function compareRational(a: Rational, b: Rational): number {
  const difference = a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Nearest double; right for any size, ±Infinity beyond the range. */
export function toNumber(a: Rational): number {
  const numBits = bitLength(a.num);
  const denBits = bitLength(a.den);
  if (numBits < 1000 && denBits < 1000) return Number(a.num) / Number(a.den);
  const shift = numBits - denBits - 64;
  const scaled = shift > 0 ? a.num / (a.den << BigInt(shift)) : (a.num << BigInt(-shift)) / a.den;
  return shift > 1100 ? Number(scaled) * Number.POSITIVE_INFINITY : Number(scaled) * 2 ** shift;
}

export function floorRational(a: Rational): bigint {
  const quotient = a.num / a.den;
  return a.num < 0n && quotient * a.den !== a.num ? quotient - 1n : quotient;
}

/** Roughly how many steps of ordinary size computing this value took. */
export function costOf(a: Rational): number {
  const numBits = bitLength(a.num);
  const denBits = bitLength(a.den);
  const reduction = a.den === 1n ? 0 : (Math.min(numBits, denBits) / 64) ** 2 / 4;
  return Math.max(numBits, denBits) / 256 + reduction;
}

export function formatRational(value: Rational): string {
  return value.den === 1n ? value.num.toString() : `${value.num}/${value.den}`;
}

/** Number of bits of |value|; exact for small values, within four bits for large ones. */
export function bitLength(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size < 9007199254740992n) {
    const small = Number(size);
    return small === 0 ? 1 : Math.floor(Math.log2(small)) + 1;
  }
  return size.toString(16).length * 4;
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) {
    if (x <= 9007199254740991n && y <= 9007199254740991n) return BigInt(gcdSmall(Number(x), Number(y)));
    [x, y] = [y, x % y];
  }
  return x === 0n ? 1n : x;
}

function gcdSmall(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) [x, y] = [y, x % y];
  return x === 0 ? 1 : x;
}

function withinBudget(value: bigint): boolean {
  return (value < 9007199254740992n && value > -9007199254740992n) || bitLength(value) <= MAX_BITS;
}
