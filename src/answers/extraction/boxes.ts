import type { Span } from './span.ts';

/** One balanced box: the span is its content. */
export interface Box extends Span {
  /** Where the command starts. */
  at: number;
}

interface OpenBox {
  at: number;
  start: number;
  holdsBox: boolean;
}

const BOX_COMMAND = /\\(?:boxed|fbox)\s{0,8}\{/y;

/**
 * All balanced `\boxed{…}` and `\fbox{…}` that hold no other box, and `\boxed 7`, in the order in which they close. A
 * bare command, an unclosed box and a blank one are none. One pass; other brackets inside may be unbalanced.
 */
export function findBoxes(text: string): Box[] {
  const boxes: Box[] = [];
  const isBox: boolean[] = [];
  const openBoxes: OpenBox[] = [];
  let i = nextBox(text, 0);
  while (i >= 0 && i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) {
      const start = boxContentAt(text, i);
      if (start >= 0) {
        openBoxes.push({ at: i, start, holdsBox: false });
        isBox.push(true);
        i = start;
        continue;
      }
      const number = bareNumberAt(text, i);
      if (number !== null) {
        boxes.push({ at: i, ...number });
        i = number.end;
      } else {
        // A doubled backslash is an escape, except where a JSON-escaped box follows.
        i += text.charCodeAt(i + 1) === 0x5c && boxContentAt(text, i + 1) >= 0 ? 1 : 2;
      }
      continue;
    }
    if (code === 0x7b) isBox.push(false);
    else if (code === 0x7d && isBox.pop() === true) closeBox(text, i, openBoxes, boxes);
    i += 1;
    if (isBox.length === 0) i = nextBox(text, i);
  }
  return boxes;
}

function closeBox(text: string, end: number, openBoxes: OpenBox[], boxes: Box[]): void {
  const box = openBoxes.pop();
  if (box === undefined) return;
  if (!box.holdsBox && text.slice(box.start, end).trim() !== '') {
    boxes.push({ at: box.at, start: box.start, end });
  }
  const outer = openBoxes.at(-1);
  if (outer !== undefined) outer.holdsBox = true;
}

function boxContentAt(text: string, at: number): number {
  BOX_COMMAND.lastIndex = at;
  return BOX_COMMAND.test(text) ? BOX_COMMAND.lastIndex : -1;
}

/**
 * Where the next `\boxed` or `\fbox` starts, from a place on; or -1. Looked for by what both names hold, which is rarer in
 * a text than a backslash.
 */
export function nextBox(text: string, from: number): number {
  for (let at = text.indexOf('box', from); at >= 0; at = text.indexOf('box', at + 3)) {
    if (at > from && text.charCodeAt(at - 1) === 0x5c && text.startsWith('ed', at + 3)) return at - 1;
    if (at - 1 > from && text.startsWith('\\f', at - 2)) return at - 2;
  }
  return -1;
}

/** TeX boxes the next token; a number is meant whole. Words behind it may qualify it (`\\boxed 42 or so`): no box. */
const BARE_NUMBER = /\\(?:boxed|fbox)\s{0,4}([-−]?\d+(?:[.,]\d+)*)(?![A-Za-z\d]|[ \t][A-Za-z])/y;

function bareNumberAt(text: string, at: number): Span | null {
  if (!text.startsWith('boxed', at + 1) && !text.startsWith('fbox', at + 1)) return null;
  BARE_NUMBER.lastIndex = at;
  const number = BARE_NUMBER.exec(text)?.[1];
  return number === undefined
    ? null
    : { start: BARE_NUMBER.lastIndex - number.length, end: BARE_NUMBER.lastIndex };
}

/**
 * Where a box starts that is blank or never closed, behind every finished one; or -1. `\boxed{}` only names the command.
 */
export function unfinishedBoxAt(text: string, boxes: readonly Box[]): number {
  let from = 0;
  for (const box of boxes) from = Math.max(from, box.end);
  for (let at = nextBox(text, from); at >= 0; at = nextBox(text, at + 1)) {
    const start = boxContentAt(text, at);
    if (start >= 0 && text.charAt(start) !== '}') return at;
  }
  return -1;
}
