/** An exact fraction in lowest terms over a positive denominator; the oracle's own, so that it shares nothing with the engine. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export function fraction(top: bigint | number, bottom: bigint | number = 1): Fraction {
  const [a, b] = [BigInt(top), BigInt(bottom)];
  if (b === 0n) throw new RangeError('a fraction over zero');
  const divisor = greatestCommonDivisor(a < 0n ? -a : a, b < 0n ? -b : b);
  return b < 0n ? { top: -a / divisor, bottom: -b / divisor } : { top: a / divisor, bottom: b / divisor };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.top * b.top, a.bottom * b.bottom);
}

export function minus(a: Fraction): Fraction {
  return { top: -a.top, bottom: a.bottom };
}

/** The quotient; null over zero. */
export function over(a: Fraction, b: Fraction): Fraction | null {
  return b.top === 0n ? null : fraction(a.top * b.bottom, a.bottom * b.top);
}

export function compare(a: Fraction, b: Fraction): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function floorOf(a: Fraction): Fraction {
  const rest = ((a.top % a.bottom) + a.bottom) % a.bottom;
  return { top: (a.top - rest) / a.bottom, bottom: 1n };
}

export function toDouble(a: Fraction): number {
  return Number(a.top) / Number(a.bottom);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
