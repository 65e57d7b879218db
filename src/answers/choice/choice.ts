import { findAnswerTag } from '../extraction/answer-tag.ts';
import { findBoxes } from '../extraction/boxes.ts';
import { readChoiceForm } from './choice-form.ts';
import { findMentions } from './choice-mention.ts';
import type { Marked } from './choice-token.ts';
import { chooseLetter } from './choose-letter.ts';
import { findOptionEcho } from './option-echo.ts';

/** Letters in mathematical styles (𝐁) and full width (Ｂ). */
const STYLED = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a]/gu;
const EMPHASIS = /[*`]|__/g;
/** Only this many boxes are read, from the last one backwards. */
const MAX_BOXES = 64;
/** `(X) B)`: the placeholder of the instruction, then the label. */
const PLACEHOLDER_LABEL = /\(X\)\s{0,3}\(?([A-J])(?:[).:]|(?=\s*$))/g;

/**
 * The option letter (A–J, upper case) that a completion chooses, or null when it names none or several. The option that is
 * stated last counts, in a box, a tag, a sentence, or alone at the end; one that is denied or doubted does not.
 */
export function extractChoice(completion: string, choices: readonly string[] = []): string | null {
  const text = completion
    .replace(STYLED, (char) => char.normalize('NFKC'))
    .replace(EMPHASIS, '')
    .replace(PLACEHOLDER_LABEL, '($1)')
    .trimEnd();
  const letter = readLetter(text, choices);
  const listed = choices.length === 0 || (letter !== null && letter.charCodeAt(0) - 65 < choices.length);
  return listed ? letter : null;
}

function readLetter(text: string, choices: readonly string[]): string | null {
  const marked = findMarked(text, choices);
  const letter = chooseLetter(text, findMentions(text, marked));
  if (letter !== undefined) return letter;
  return choices.length === 0 ? null : findOptionEcho(text, choices);
}

/** The boxes and the answer tag, in order; a box around a formula holds no letter. */
function findMarked(text: string, choices: readonly string[]): Marked[] {
  const marked = findBoxes(text)
    .slice(-MAX_BOXES)
    .map((box) => ({
      start: box.at,
      end: box.end + 1,
      letters: readContent(text.slice(box.start, box.end), choices),
    }));
  const tag = findAnswerTag(text);
  const letters = tag === null ? [] : readContent(text.slice(tag.start, tag.end), choices);
  if (tag !== null && letters.length > 0) marked.push({ start: tag.start, end: tag.end, letters });
  return marked.sort((a, b) => a.start - b.start);
}

/** Empty when the content is no choice at all. */
function readContent(content: string, choices: readonly string[]): readonly string[] {
  const form = readChoiceForm(content);
  if (form === 'several') return ['A', 'B'];
  if (form !== 'none') return [form];
  const echo = choices.length === 0 ? null : findOptionEcho(content, choices);
  return echo === null ? [] : [echo];
}
