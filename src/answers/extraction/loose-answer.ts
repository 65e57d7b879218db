import { findLastNumber } from './last-number.ts';
import { findMathSpans } from './math-spans.ts';
import { isMathematical, isReadable } from './readable.ts';
import type { Candidate } from './stated-answer.ts';
import { tidyAnswer } from './tidy-answer.ts';
import { trailingGroup } from './trailing-group.ts';

/** Only this many formulas are tried, from the last one backwards. */
const MAX_SPANS = 16;
const MAX_WHOLE = 400;

/**
 * The last formula, and with `numbers` also number, of a text that announces no answer. Not for rewards: anything
 * mentioned last counts.
 */
export function findLooseAnswer(text: string, numbers: boolean): Candidate | null {
  const whole = text.length <= 2 * MAX_WHOLE ? tidyAnswer(text) : text;
  const spans = findMathSpans(text);
  const [only] = spans;
  const bare = spans.length === 0 && whole.length <= MAX_WHOLE && isMathematical(whole);
  const formulaOnly =
    only !== undefined && spans.length === 1 && whole === text.slice(only.start, only.end).trim();
  if (bare || formulaOnly) return { text: whole, at: 0, end: text.length };
  let formula: Candidate | null = null;
  for (let end = spans.length; end > Math.max(0, spans.length - MAX_SPANS) && formula === null; end -= 1) {
    const group = trailingGroup(text, spans.slice(Math.max(0, end - MAX_SPANS), end));
    if (group !== null && isReadable(group.text))
      formula = { text: group.text, at: group.from, end: group.to };
  }
  if (!numbers) return formula;
  let masked = text;
  if (formula !== null) masked = ' '.repeat(formula.end) + text.slice(formula.end);
  const number = findLastNumber(masked);
  if (number === null) return formula;
  return { text: text.slice(number.start, number.end), at: number.start, end: number.end };
}
