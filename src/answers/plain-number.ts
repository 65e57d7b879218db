import { makeRational, parseDecimal, type Rational } from './rational.ts';

const NUMBER = String.raw`(?:\d+(?:,\d{3})+|\d+)?(?:\.\d*)?`;
const GROUP = String.raw`(?:\{\s?(-?[\d.,]+)\s?\}|(\d))`;
const FRACTION = new RegExp(String.raw`^([-+]?)\s?(\d+)?\s?\\frac\s?${GROUP}\s?${GROUP}(.*)$`);
const PLAIN = new RegExp(
  String.raw`^([-+]?)\s?[$€£]?\s?([-+]?)\s?(${NUMBER})(?:\s?/\s?(${NUMBER}))?(?![\d,.])(.*)$`,
);
const UNIT =
  /^\s?(?:%|°|\^\s?\\?circ|\^\s?\{\s?\\?circ\s?\}|percent|[A-Za-z]{2,20}(?:[ -][A-Za-z]{1,20}){0,4}|(?<= )[cmkg])?\.?$/;
const ASSIGNED = /^[A-Za-z]\s?=\s?(?=[^=]*$)/;

/** Reads a plain number, percentage, simple or LaTeX fraction with an optional unit; null for all else. */
export function parsePlainNumber(clean: string): Rational | null {
  const text = clean.replace(ASSIGNED, '');
  if (text.length > 400) return null;
  const fraction = FRACTION.exec(text);
  if (fraction !== null) return readFraction(fraction);
  const plain = PLAIN.exec(text);
  if (plain === null || !UNIT.test(plain[5] ?? '')) return null;
  const top = parseDecimal(`${plain[1] || plain[2] || ''}${ungroup(plain[3] ?? '')}`);
  if (top === null) return null;
  if (plain[4] === undefined) return top;
  const bottom = parseDecimal(ungroup(plain[4]));
  return bottom === null ? null : makeRational(top.num * bottom.den, top.den * bottom.num);
}

function readFraction(match: RegExpExecArray): Rational | null {
  if (!UNIT.test(match[7] ?? '')) return null;
  const top = parseDecimal(ungroup(match[3] ?? match[4] ?? ''));
  const bottom = parseDecimal(ungroup(match[5] ?? match[6] ?? ''));
  if (top === null || bottom === null) return null;
  const value = makeRational(top.num * bottom.den, top.den * bottom.num);
  if (value === null) return null;
  const whole = match[2] === undefined ? 0n : BigInt(match[2]);
  const sign = match[1] === '-' ? -1n : 1n;
  return makeRational(sign * (whole * value.den + value.num), value.den);
}

function ungroup(digits: string): string {
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits) ? digits.replaceAll(',', '') : digits;
}
