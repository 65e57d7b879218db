import { findAnswerTag } from './answer-tag.ts';
import { findBoxes } from './boxes.ts';
import { extractChoice } from './choice.ts';
import { detach } from './detach.ts';
import { findGsm8k } from './gsm8k.ts';
import { findLastNumber } from './last-number.ts';
import type { ExtractionMode } from './modes.ts';
import { cutReasoning } from './reasoning.ts';
import type { Span } from './span.ts';
import { stripSpecialTokens } from './special-tokens.ts';
import { findStatedAnswer } from './stated-answer.ts';
import { tidyAnswer } from './tidy-answer.ts';

export interface ExtractOptions {
  mode: ExtractionMode;
  /** The trainer's length limit cut this completion, so what touches its end may be incomplete. */
  truncated?: boolean;
}

/** Takes the answer from a completion; `null` (it abstains) when there is none, never the empty string. */
export function extract(completion: string, options: ExtractOptions): string | null {
  const text = stripSpecialTokens(cutReasoning(completion)).trimEnd();
  if (text.trim() === '') return null;
  const truncated = options.truncated === true;
  if (options.mode === 'choice') return truncated ? extractCompleteChoice(text) : extractChoice(text);
  const span = findAnswer(text, options.mode);
  if (span === null) return null;
  if (truncated && span.end >= text.length) return null;
  const answer = tidyAnswer(text.slice(span.start, span.end));
  return answer === '' ? null : detach(answer);
}

function findAnswer(text: string, mode: Exclude<ExtractionMode, 'choice'>): Span | null {
  switch (mode) {
    case 'boxed':
      return findBoxes(text).at(-1) ?? null;
    case 'answer-tag':
      return findAnswerTag(text);
    case 'gsm8k':
      return findGsm8k(text);
    case 'number':
      return findLastNumber(text);
    case 'raw':
      return { start: 0, end: text.length };
    case 'auto':
      return findBoxes(text).at(-1) ?? findAnswerTag(text) ?? findGsm8k(text) ?? findStatedAnswer(text);
  }
}

/** A bare letter at the very end may be the start of a word, so the last token does not count. */
function extractCompleteChoice(text: string): string | null {
  return /[A-Za-z]$/.test(text) ? extractChoice(text.replace(/[A-Za-z]{1,64}$/, '')) : extractChoice(text);
}
