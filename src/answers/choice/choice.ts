import { findAnswerTag } from '../extraction/answer-tag.ts';
import { findBoxes } from '../extraction/boxes.ts';
import { readChoiceForm } from './choice-form.ts';
import { findMentions } from './choice-mention.ts';
import type { Marked } from './choice-token.ts';
import { chooseLetter, statedLetter } from './choose-letter.ts';
import { findOptionEcho } from './option-echo.ts';

/** Letters in mathematical styles (𝐁) and full width (Ｂ). */
const STYLED = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a]/gu;
const EMPHASIS = /[*`]|__/g;
/** The part of a text that most answers are stated in. */
const CLOSING = 160;
const SENTENCE_END = /(?<!\\)\.(?=\s)/;
/** Only this many boxes are read, from the last one backwards. */
const MAX_BOXES = 64;
const PLACEHOLDER = '(X)';
/** `(X) B)`: the placeholder of the instruction, then the label. */
const PLACEHOLDER_LABEL = /\(X\)\s{0,3}\(?([A-J])(?:[).:]|(?=\s*$))/g;

/**
 * The option letter (A–J, upper case) that a completion chooses, or null when it names none or several. The option that is
 * stated last counts, in a box, a tag, a sentence, or alone at the end; one that is denied or doubted does not.
 */
export function extractChoice(completion: string, choices: readonly string[] = []): string | null {
  const text = plain(completion).trimEnd();
  const letter = readLetter(text, choices);
  const listed = choices.length === 0 || (letter !== null && letter.charCodeAt(0) - 65 < choices.length);
  return listed ? letter : null;
}

/** Without styles and emphasis; what a text does not hold is not replaced, which would cost a pass over all of it. */
function plain(completion: string): string {
  let text = completion.replace(STYLED, (char) => char.normalize('NFKC'));
  if (text.includes('*') || text.includes('`') || text.includes('__')) text = text.replace(EMPHASIS, '');
  return text.includes(PLACEHOLDER) ? text.replace(PLACEHOLDER_LABEL, '($1)') : text;
}

function readLetter(text: string, choices: readonly string[]): string | null {
  const marked = findMarked(text, choices);
  const letter = readClosing(text, marked) ?? chooseLetter(text, findMentions(text, marked));
  if (letter !== undefined) return letter;
  return choices.length === 0 ? null : findOptionEcho(text, choices);
}

/**
 * The letter that is stated in the last few sentences; undefined where the whole text must be read. What a mention is depends on
 * its own sentence, and on the mention before it only where it contrasts with that.
 */
function readClosing(text: string, marked: readonly Marked[]): string | undefined {
  const stop = SENTENCE_END.exec(text.slice(-CLOSING));
  const from = stop === null || text.length <= CLOSING ? -1 : text.length - CLOSING + stop.index + 1;
  if (from < 0 || marked.some(({ start, end }) => start < from && from <= end)) return undefined;
  const closing = marked.filter(({ start }) => start >= from);
  const mentions = findMentions(text, closing, from);
  return mentions[0]?.contrasts === true ? undefined : (statedLetter(text, mentions) ?? undefined);
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
