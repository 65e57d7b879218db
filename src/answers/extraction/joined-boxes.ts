import { type Box, findBoxes, unfinishedBoxAt } from './boxes.ts';
import { denialAfter, endsInDenial } from './denied.ts';
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

/** Only so many boxes at the end are asked whether the text denies them. */
const MAX_DENIED = 64;

/**
 * The last box, with the boxes just before it that it is listed with: `\boxed{1} and \boxed{2}` answers `1, 2`. Boxes that
 * the text denies (`not \boxed{7}`) do not count. Null where a later box is blank or never closed.
 */
export function findJoinedBoxes(text: string, boxes: readonly Box[] = findBoxes(text)): Candidate | null {
  if (boxes.length === 0 || unfinishedBoxAt(text, boxes) >= 0) return null;
  const at = boxes.findLastIndex((box, i) => i < boxes.length - MAX_DENIED || !isDenied(text, box));
  const last = boxes[at];
  if (last === undefined) return null;
  const parts = [last];
  for (let i = at - 1; i >= 0 && parts.length < MAX_JOINED; i -= 1) {
    const box = boxes[i];
    const next = parts[0];
    if (box === undefined || next === undefined || !areListed(text, box, next)) break;
    parts.unshift(box);
  }
  const contents = [...new Set(parts.map((part) => text.slice(part.start, part.end).trim()))];
  return { text: contents.join(', '), at: parts[0]?.at ?? last.at, end: last.end };
}

function isDenied(text: string, box: Box): boolean {
  const before = text.slice(Math.max(0, box.at - 48), box.at);
  return endsInDenial(before) || denialAfter(text.slice(box.end + 1, box.end + 40)) > 0;
}

function areListed(text: string, box: Box, next: Box): boolean {
  const from = box.end + 1;
  if (next.at < from || next.at - from > MAX_GAP) return false;
  const gap = text.slice(from, next.at);
  if (SEPARATOR.test(gap)) return !/\n\s*\n/.test(gap) || JOINS.test(gap) || /[,;]/.test(gap);
  return JOINS.test(gap) && !REPLACES.test(gap);
}
