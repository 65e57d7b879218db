import type { Span } from './span.ts';

/**
 * A number of the prose: sign, digits in groups of three or plain, decimals, a simple fraction. It starts
 * and ends with a digit, so a lone comma is no number. Each part is bounded by what it consumes, so the
 * scan is linear.
 */
const NUMBER = /[-−+]?\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:\/\d+(?![\d/]))?|[-−+]?\.\d+/g;

const WORD = /[A-Za-z_]/;

/** The last number of the text that is not part of a word such as `x2`, or null. */
export function findLastNumber(text: string): Span | null {
  let found: Span | null = null;
  for (const match of text.matchAll(NUMBER)) {
    const before = text[match.index - 1] ?? ' ';
    if (WORD.test(before)) continue;
    const end = match.index + match[0].length;
    found = { start: isSubtraction(text, match.index, match[0]) ? match.index + 1 : match.index, end };
  }
  return found;
}

/** `7-5` and `A-1` end in a positive number: the sign belongs to what stands before it. */
function isSubtraction(text: string, at: number, number: string): boolean {
  if (/^[\d.]/.test(number)) return false;
  return /[\w)\]}%]/.test(text[at - 1] ?? ' ');
}
