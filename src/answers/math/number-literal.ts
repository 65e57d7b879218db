import { makeRational, type Rational } from './rational.ts';

const LITERAL = /^(\d*)(?:\.(\d*)(?:\((\d+)\))?)?(?:e([+-]?\d{1,6}))?$/;

/** The largest power of ten that a literal may carry; beyond it the text is not read as a number. */
const MAX_EXPONENT = 6000;

/** A number as written: its exact value, and how many decimals it shows (0 for an integer). */
export interface NumberLiteral {
  value: Rational;
  decimals: number;
}

/** Reads `12`, `.5`, `1.`, `0.(3)` (repeating) and `1.6e-19`; null for anything else. */
export function parseNumberLiteral(text: string): NumberLiteral | null {
  const match = LITERAL.exec(text);
  if (match === null) return null;
  const whole = match[1] ?? '';
  const decimals = match[2] ?? '';
  const repeating = match[3] ?? '';
  if (whole === '' && decimals === '' && repeating === '') return null;
  const exponent = match[4] === undefined ? 0 : Number(match[4]);
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  let num = BigInt(whole + decimals + repeating);
  let den = 10n ** BigInt(decimals.length);
  if (repeating !== '') {
    num -= BigInt(whole + decimals === '' ? '0' : whole + decimals);
    den *= 10n ** BigInt(repeating.length) - 1n;
  }
  if (exponent > 0) num *= 10n ** BigInt(exponent);
  if (exponent < 0) den *= 10n ** BigInt(-exponent);
  const value = makeRational(num, den);
  if (value === null) return null;
  return { value, decimals: repeating === '' ? Math.max(0, decimals.length - exponent) : 0 };
}
