import { findLastNumber } from './last-number.ts';
import { findMathSpans } from './math-spans.ts';
import { isMathematical, isReadable } from './readable.ts';
import type { Candidate } from './stated-answer.ts';
import { tidyAnswer } from './tidy-answer.ts';

/** Only this many formulas are tried, from the last one backwards. */
const MAX_SPANS = 16;
const MAX_WHOLE = 400;

/**
 * The last formula, and with `numbers` also number, of a text that announces no answer. Not for rewards: anything
 * mentioned last counts.
 */
export function findLooseAnswer(text: string, numbers: boolean): Candidate | null {
  const whole = text.length <= 2 * MAX_WHOLE ? tidyAnswer(text) : text;
  if (whole.length <= MAX_WHOLE && isMathematical(whole)) return { text: whole, at: 0, end: text.length };
  const spans = findMathSpans(text);
  const [only] = spans;
  if (only !== undefined && spans.length === 1 && whole === text.slice(only.start, only.end).trim()) {
    return { text: whole, at: 0, end: text.length };
  }
  let formula: Candidate | null = null;
  for (const span of spans.slice(-MAX_SPANS).reverse()) {
    const content = text.slice(span.start, span.end).trim();
    if (!isReadable(content)) continue;
    const suffix = /^\s?(?:\\?%|percent|pct)/.exec(text.slice(span.to, span.to + 10))?.[0] ?? '';
    formula = { text: content + suffix, at: span.from, end: span.to };
    break;
  }
  if (!numbers) return formula;
  let masked = text;
  if (formula !== null) masked = ' '.repeat(formula.end) + text.slice(formula.end);
  const number = findLastNumber(masked);
  if (number === null) return formula;
  return { text: text.slice(number.start, number.end), at: number.start, end: number.end };
}
