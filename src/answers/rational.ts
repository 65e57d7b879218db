/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  num: bigint;
  den: bigint;
}

/** Reduces `num / den`; null where the denominator is zero. */
export function makeRational(num: bigint, den = 1n): Rational | null {
  if (den === 0n) return null;
  const divisor = gcd(num < 0n ? -num : num, den < 0n ? -den : den);
  const sign = den < 0n ? -1n : 1n;
  return { num: (sign * num) / divisor, den: (sign * den) / divisor };
}

/** Reads digits with optional sign and decimals (`-1.50`, `.5`), or null. */
export function parseDecimal(text: string): Rational | null {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return null;
  const whole = match[2] ?? '';
  const decimals = match[3] ?? '';
  if (whole === '' && decimals === '') return null;
  const value = makeRational(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  if (value === null) return null;
  return match[1] === '-' ? { num: -value.num, den: value.den } : value;
}

export function formatRational(value: Rational): string {
  return value.den === 1n ? value.num.toString() : `${value.num}/${value.den}`;
}

function gcd(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
