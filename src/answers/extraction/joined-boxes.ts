import { type Box, findBoxes } from './boxes.ts';
import type { Candidate } from './stated-answer.ts';

/** Boxes further apart than this are separate answers. */
const MAX_GAP = 70;
/** Only this many boxes are joined. */
const MAX_JOINED = 40;
const SEPARATOR = /^(?:\s|[,;]|\band\b|\bor\b|\\(?:quad|qquad|text\{[^{}]{0,20}\})|\\[,; ()[\]]|\$|\*)*$/;
const JOINS = /(?:\band\b|\bor\b)/;
/** Words that say that the later box replaces the earlier one, or that a sentence ended between them. */
const REPLACES =
  /[.!?]\s|\b(?:wait|actually|no|not|instead|sorry|check\w*|but|so|thus|hence|then|therefore|gives?|total)\b/i;

/** The last box, with the boxes just before it that it is listed with: `\boxed{1} and \boxed{2}` answers `1, 2`. */
export function findJoinedBoxes(text: string): Candidate | null {
  const boxes = findBoxes(text);
  const last = boxes.at(-1);
  if (last === undefined) return null;
  const parts = [last];
  for (let i = boxes.length - 2; i >= 0 && parts.length < MAX_JOINED; i -= 1) {
    const box = boxes[i];
    const next = parts[0];
    if (box === undefined || next === undefined || !areListed(text, box, next)) break;
    parts.unshift(box);
  }
  const contents = [...new Set(parts.map((part) => text.slice(part.start, part.end).trim()))];
  return { text: contents.join(', '), at: parts[0]?.at ?? last.at, end: last.end };
}

function areListed(text: string, box: Box, next: Box): boolean {
  const from = box.end + 1;
  if (next.at < from || next.at - from > MAX_GAP) return false;
  const gap = text.slice(from, next.at);
  if (SEPARATOR.test(gap)) return !/\n\s*\n/.test(gap) || JOINS.test(gap) || /[,;]/.test(gap);
  return JOINS.test(gap) && !REPLACES.test(gap);
}
