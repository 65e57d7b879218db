import { extractChoice } from '../choice/choice.ts';
import { findAnswerTag } from './answer-tag.ts';
import { findBoxes } from './boxes.ts';
import type { Candidate } from './stated-answer.ts';

/** The rest of a text that closes its last sentence: a full stop and no other sentence, no question. */
const CLOSING = /^[^.!?。！？।؟\n]*[.!。！।][^\p{L}\p{N}?？؟]*$/u;
/** The last sentence of a text, where it is closed, or a label in brackets. */
const LAST_SENTENCE = /[^.!?。！？\n]{0,300}(?:[.!。！]|[)\]】])[\s*_"”]*$/u;

/**
 * Whether an answer of a completion that the length limit cut is complete. A box, a tag or a line closes itself. What only
 * words say is an answer where the text ends with that sentence: any text after it is a thought that was not finished.
 */
export function isClosed(text: string, found: Candidate): boolean {
  return found.inWords === true ? CLOSING.test(text.slice(found.end)) : found.end < text.length;
}

/** The same for an option letter, which a box, a tag or the last sentence must give. */
export function isChoiceClosed(text: string, letter: string, choices: readonly string[] = []): boolean {
  const box = findBoxes(text).at(-1);
  const tag = findAnswerTag(text);
  const parts = [
    box === undefined ? '' : text.slice(box.at, box.end + 1),
    tag === null ? '' : `<answer>${text.slice(tag.start, tag.end)}</answer>`,
    LAST_SENTENCE.exec(text.slice(-400))?.[0] ?? '',
  ];
  return parts.some((part) => part !== '' && extractChoice(part, choices) === letter);
}
