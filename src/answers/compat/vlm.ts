import { findAnswerTag } from '../extraction/answer-tag.ts';
import { MAX_ANSWER_LENGTH } from '../text-key.ts';
import { gradeQwen } from './qwen-grade.ts';
import { normaliseQwen } from './qwen-normalise.ts';

const LETTER_FORMS = [
  /^\(?([A-E])\)?$/i,
  /^\(?([A-E])[.):\]]/i,
  /(?:answer|option|choice)(?: is|:)?\s{0,2}\(?([A-E])\b/i,
];
const SYMBOLS: Readonly<Record<string, string>> = { π: '\\pi', '∞': '\\infty' };

/** The content of the last answer tag, as the reference's vision trainer takes it; null without one. */
export function extractVlm(completion: string): string | null {
  const tag = findAnswerTag(completion);
  return tag === null ? null : completion.slice(tag.start, tag.end).trim();
}

/** An option letter (A–E) where the answer has the form of one, else null. */
function letterVlm(answer: string): string | null {
  const text = answer.trim();
  for (const form of LETTER_FORMS) {
    const match = form.exec(text);
    if (match !== null) return (match[1] ?? '').toUpperCase();
  }
  return null;
}

/** The vote key of the reference: the letter, or the spelling after rewriting π √ ∞ and dropping ° and 度. Case counts. */
export function keyVlm(answer: string): string | null {
  const text = answer.trim();
  if (text === '') return null;
  const letter = letterVlm(text);
  if (letter !== null) return letter;
  if (text.length > MAX_ANSWER_LENGTH) return normaliseQwen(text);
  const dollars = /^\$.*\$$/.test(text);
  const key = rewriteSymbols(text);
  // The reference leaves dollar signs and words as they are here, unlike for text-only models.
  return /^[\w\s()]*[A-Za-z]{2}[\w\s()]*$/.test(key) || dollars ? key.replace(/\s/g, '') : normaliseQwen(key);
}

export function gradeVlm(prediction: string, truth: string): boolean {
  if (prediction.trim() === '' || truth.trim() === '') return false;
  const wanted = letterVlm(truth);
  if (wanted !== null && letterVlm(prediction) === wanted) return true;
  const [given, label] = [rewriteSymbols(prediction.trim()), rewriteSymbols(truth.trim())];
  return given.toLowerCase() === label.toLowerCase() || gradeQwen(given, label);
}

function rewriteSymbols(text: string): string {
  return text
    .replace(/√\s?(\w+|\{[^{}]*\})/g, (_, radicand: string) =>
      radicand.startsWith('{') ? `\\sqrt${radicand}` : `\\sqrt{${radicand}}`,
    )
    .replace(/[π∞]/g, (symbol) => SYMBOLS[symbol] ?? symbol)
    .replace(/\^\s?\{?\\circ\}?|[°度]/g, '');
}
