import { foldDigits } from '../math/fold-digits.ts';
import type { Span } from './span.ts';

/**
 * A number of the prose: sign, which a currency sign may follow, digits plain or in groups of three, decimals, an exponent, a
 * simple fraction. It starts and ends with a digit, so a lone comma is no number. Each part is bounded by what it consumes: the
 * scan is linear.
 */
const NUMBER =
  /(?:[-−+]\\?[$€£¥₹₽￥₩₺₫](?=\.?\d)|[-−+])?(?:\d+(?:,\d{3}(?!\d))*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,4}(?![\w.]))?(?:\s?\/\s?\d+(?:\.\d+)?(?![\d/]))?/g;

/** What belongs to a number and follows it. */
const SUFFIX = /^\s?(?:\\?%|percent(?:age)?\b|pct\b)/;

/** The sign in a word; `minus` may be between two numbers. */
const NEGATIVE = /(?<![A-Za-z])negative\s(?:\\?[$€£¥])?$/i;

/** The tails of a text in which its last number is looked for, the shortest first. */
const WINDOWS = [700, 2_000, 32_000, Number.POSITIVE_INFINITY];
/** Digits of other scripts are read in tails up to this long. */
const LAST_FOLDED = 32_000;
/** A number this near to the start of a window may have been cut by it. */
const MARGIN = 500;

/** The last number of the text that is not part of a word such as `x2`, with its percent sign; or null. */
export function findLastNumber(text: string): Span | null {
  for (const size of WINDOWS) {
    const from = Math.max(0, text.length - size);
    const tail = text.slice(from);
    const found = findInTail(size <= LAST_FOLDED ? foldDigits(tail) : tail);
    if (found !== null && (from === 0 || found.start > MARGIN)) {
      return { start: from + found.start, end: from + found.end };
    }
    if (from === 0) break;
  }
  return null;
}

function findInTail(text: string): Span | null {
  let last: RegExpExecArray | null = null;
  for (const match of text.matchAll(NUMBER)) {
    if (!isWordCode(text.charCodeAt(match.index - 1))) last = match;
  }
  if (last === null) return null;
  const [number] = last;
  const end = last.index + number.length;
  const sign = NEGATIVE.exec(text.slice(Math.max(0, last.index - 12), last.index))?.[0].length ?? 0;
  const start = isSubtraction(text[last.index - 1] ?? ' ', number) ? last.index + 1 : last.index - sign;
  const suffix = SUFFIX.exec(text.slice(end, end + 12));
  return { start, end: end + (suffix?.[0].length ?? 0) };
}

function isWordCode(code: number): boolean {
  return ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code === 0x5f;
}

/** `7-5` ends in a positive number: the sign belongs to what stands before it. */
function isSubtraction(before: string, number: string): boolean {
  return /^[-−+]/.test(number) && /[\w)\]}%]/.test(before);
}
