import { findAnswerTag } from '../extraction/answer-tag.ts';
import { findBoxes } from '../extraction/boxes.ts';
import { readChoiceForm } from './choice-form.ts';
import { findStatedChoice } from './choice-statement.ts';

const PARENTHESISED = /\(([A-J])\)/g;

/**
 * The option letter (A–J, upper case) that a completion chooses, or null when it names none or several.
 * A box, an answer tag and a statement ("the answer is B") rank by position; then a letter in brackets;
 * then a label that leads the reply.
 */
export function extractChoice(completion: string): string | null {
  const text = completion.replace(/[*`]/g, '');
  let best: { at: number; letter: string | null } | null = null;
  for (const box of findBoxes(text)) {
    const form = readChoiceForm(text.slice(box.start, box.end));
    if (form !== 'none') best = { at: box.at, letter: form === 'several' ? null : form };
  }
  const tag = findAnswerTag(text);
  if (tag !== null) {
    const form = readChoiceForm(text.slice(tag.start, tag.end));
    if (form !== 'none') return form === 'several' ? null : form;
  }
  const stated = findStatedChoice(text);
  if (stated !== null && (best === null || stated.at > best.at)) best = stated;
  if (best !== null) return best.letter;
  const whole = readChoiceForm(text);
  if (whole !== 'none') return whole === 'several' ? null : whole;
  return findBracketed(text);
}

function findBracketed(text: string): string | null {
  const letters = new Set<string>();
  let closing: string | null = null;
  let leading: string | null = null;
  for (const match of text.matchAll(PARENTHESISED)) {
    const letter = match[1] ?? '';
    letters.add(letter);
    if (
      text.slice(match.index + 3, match.index + 6).replace(/[.\s]/g, '') === '' ||
      isLast(text, match.index)
    ) {
      closing = isLast(text, match.index) ? letter : closing;
    }
    const before = text[match.index - 1];
    if (before === undefined || before === '\n') leading = letter;
  }
  if (closing !== null) return closing;
  if (leading !== null) return leading;
  const [only] = letters;
  return letters.size === 1 && only !== undefined ? only : null;
}

function isLast(text: string, at: number): boolean {
  const rest = text.slice(at + 3, at + 40);
  return at + 40 >= text.length && rest.replace(/[.\s$]/g, '') === '';
}
