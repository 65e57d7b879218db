import { findAnswerTag } from '../extraction/answer-tag.ts';
import { findBoxes } from '../extraction/boxes.ts';
import { findBracketedChoice, findClosingChoice, leadsWithOneLabel } from './bracketed-choice.ts';
import { readChoiceForm } from './choice-form.ts';
import { findStatedChoice, type StatedChoice } from './choice-statement.ts';
import { findOptionEcho } from './option-echo.ts';

/** Letters in mathematical styles (𝐁) and full width (Ｂ). */
const STYLED = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a]/gu;
const EMPHASIS = /[*`]|__/g;
/** Only this many boxes are read, from the last one backwards. */
const MAX_BOXES = 64;
/** `(X) B)`: the placeholder of the instruction, then the label. */
const PLACEHOLDER_LABEL = /\(X\)\s{0,3}\(?([A-J])(?:[).:]|(?=\s*$))/g;

/**
 * The option letter (A–J, upper case) that a completion chooses, or null when it names none or several. Boxes, answer
 * tags and statements rank by position; then letters in brackets, a label that leads the reply, and, where the
 * options' texts are known, the option that is repeated.
 */
export function extractChoice(completion: string, choices: readonly string[] = []): string | null {
  const text = completion
    .replace(STYLED, (char) => char.normalize('NFKC'))
    .replace(EMPHASIS, '')
    .replace(PLACEHOLDER_LABEL, '($1)');
  const letter = chooseLetter(text, choices);
  const listed = choices.length === 0 || (letter !== null && letter.charCodeAt(0) - 65 < choices.length);
  return listed ? letter : null;
}

function chooseLetter(text: string, choices: readonly string[]): string | null {
  const named = latest([
    findBoxedChoice(text, choices),
    findTaggedChoice(text, choices),
    findStatedChoice(text),
    findClosingChoice(text),
  ]);
  if (named !== null) return named.letter;
  const bracketed = findBracketedChoice(text);
  if (bracketed !== null) return bracketed;
  if (leadsWithOneLabel(text)) {
    const label = readChoiceForm(text.trimStart().split('\n', 1)[0] ?? '');
    if (label === 'several') return null;
    if (label !== 'none') return label;
  }
  return choices.length === 0 ? null : findOptionEcho(text, choices);
}

function latest(found: Array<StatedChoice | null>): StatedChoice | null {
  let best: StatedChoice | null = null;
  for (const choice of found) {
    if (choice !== null && (best === null || choice.at > best.at)) best = choice;
  }
  return best;
}

/** The last box that holds a choice; a box around a formula holds none. */
function findBoxedChoice(text: string, choices: readonly string[]): StatedChoice | null {
  for (const box of findBoxes(text).slice(-MAX_BOXES).reverse()) {
    const letter = readContent(text.slice(box.start, box.end), choices);
    if (letter !== undefined) return { at: box.at, letter };
  }
  return null;
}

function findTaggedChoice(text: string, choices: readonly string[]): StatedChoice | null {
  const tag = findAnswerTag(text);
  if (tag === null) return null;
  const letter = readContent(text.slice(tag.start, tag.end), choices);
  return letter === undefined ? null : { at: tag.end, letter };
}

/** Undefined when the content is no choice at all. */
function readContent(content: string, choices: readonly string[]): string | null | undefined {
  const form = readChoiceForm(content);
  if (form === 'several') return null;
  if (form !== 'none') return form;
  return choices.length === 0 ? undefined : (findOptionEcho(content, choices) ?? undefined);
}
