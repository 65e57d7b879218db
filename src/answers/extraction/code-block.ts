import type { Span } from './span.ts';

/** Most blocks that are looked at, the last ones of a text. */
const MOST_BLOCKS = 64;
/** A fence may be indented by this much more than the one that it closes; one inside of a docstring is by more. */
const CLOSING_SLACK = 3;
/** Most quote marks and list marks that a line may start with. */
const MOST_MARKS = 8;
const SPACE = 0x20;
const QUOTE = 0x3e;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** A fenced block; the span is its content, as it stands in the text. */
interface CodeBlock extends Span {
  readonly info: string;
  readonly isClosed: boolean;
  /** Characters in front of the fence, which its lines have too: of a list item, or by which the block is indented. */
  readonly indent: number;
  /** How many block quotes it stands in. */
  readonly quotes: number;
}

/** A line that starts with a fence. One object serves all lines of a text: there may be a hundred thousand. */
interface FenceLine {
  /** The code of its character. */
  char: number;
  length: number;
  /** Behind the run of that character. */
  end: number;
  /** The line's end. */
  stop: number;
  indent: number;
  quotes: number;
  inItem: boolean;
}

/**
 * The last fenced blocks that are not empty, in order, and where the first fence stands (at the end where there is none).
 * A block that the text never closes runs to its end. Linear.
 */
export function findCodeBlocks(text: string): { readonly first: number; readonly blocks: CodeBlock[] } {
  const blocks: CodeBlock[] = [];
  let first = text.length;
  let open: FenceLine | null = null;
  let line = emptyLine();
  let spare = emptyLine();
  const add = (end: number, isClosed: boolean) => {
    if (open === null || isBlank(text, open.stop, end)) return;
    const { end: info, stop, indent, quotes } = open;
    if (blocks.length === 2 * MOST_BLOCKS) blocks.splice(0, MOST_BLOCKS);
    blocks.push({
      start: Math.min(stop + 1, text.length),
      end,
      info: text.slice(info, stop).trim(),
      isClosed,
      indent,
      quotes,
    });
  };
  for (let start = 0; start < text.length; start = line.stop + 1) {
    const newline = text.indexOf('\n', start);
    line.stop = newline < 0 ? text.length : newline;
    if (!readFence(text, start, line)) continue;
    if (open === null) {
      if (line.char === BACKTICK && hasBacktick(text, line.end, line.stop)) continue;
      first = Math.min(first, start);
      open = line;
      line = spare;
      spare = open;
      line.stop = open.stop;
    } else if (closes(line, open) && isBlank(text, line.end, line.stop)) {
      add(start, true);
      open = null;
    }
  }
  add(text.length, false);
  return { first, blocks: blocks.slice(-MOST_BLOCKS) };
}

/** The last closed block of a text; one that is never closed counts only where there is no closed one. */
export function lastBlock(blocks: readonly CodeBlock[]): CodeBlock | null {
  return blocks.findLast(({ isClosed }) => isClosed) ?? blocks.at(-1) ?? null;
}

/** What a block says: its lines without the marks of its quotes and what its list item is indented by. */
export function blockText(text: string, { start, end, indent, quotes }: CodeBlock): string {
  const content = text.slice(start, end);
  if (indent === 0 && quotes === 0) return content;
  const lines = content.split('\n').map((line) => line.slice(behindQuotes(line, quotes)));
  // Where the first line stands left of its fence, none is indented by it.
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const margin = Math.min(indent, skipSpaces(first, 0));
  return lines.map((line) => line.slice(Math.min(margin, skipSpaces(line, 0)))).join('\n');
}

function behindQuotes(line: string, quotes: number): number {
  let at = 0;
  for (let left = quotes; left > 0; left -= 1) {
    const mark = skipSpaces(line, at);
    if (line[mark] !== '>') break;
    at = line[mark + 1] === ' ' ? mark + 2 : mark + 1;
  }
  return at;
}

function emptyLine(): FenceLine {
  return { char: 0, length: 0, end: 0, stop: 0, indent: 0, quotes: 0, inItem: false };
}

function closes(line: FenceLine, open: FenceLine): boolean {
  const { char, length, indent, inItem } = line;
  return !inItem && char === open.char && length >= open.length && indent <= open.indent + CLOSING_SLACK;
}

/** Reads the run of backticks or tildes that a line starts with, behind spaces, quote marks and list marks; false without one. */
function readFence(text: string, start: number, line: FenceLine): boolean {
  let at = start;
  let margin = start;
  line.quotes = 0;
  line.inItem = false;
  for (let marks = 0; marks < MOST_MARKS; marks += 1) {
    at = skipSpaces(text, at);
    const char = text.charCodeAt(at);
    if (char === BACKTICK || char === TILDE) return readRun(text, at, margin, line);
    if (char === QUOTE) {
      line.quotes += 1;
      at += text.charCodeAt(at + 1) === SPACE ? 2 : 1;
      margin = at;
      continue;
    }
    at = listMarkEnd(text, at);
    if (at < 0) return false;
    line.inItem = true;
  }
  return false;
}

function readRun(text: string, at: number, margin: number, line: FenceLine): boolean {
  line.char = text.charCodeAt(at);
  line.indent = at - margin;
  line.end = at;
  while (text.charCodeAt(line.end) === line.char) line.end += 1;
  line.length = line.end - at;
  return line.length >= 3;
}

function hasBacktick(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === BACKTICK) return true;
  return false;
}

/** Behind `-`, `*`, `+`, `1.` or `1)` and the space after it; -1 where there is none. */
function listMarkEnd(text: string, at: number): number {
  let end = at;
  while (end < at + 9 && isDigit(text.charCodeAt(end))) end += 1;
  const char = text.charAt(end);
  const isMark = end > at ? char === '.' || char === ')' : char === '-' || char === '*' || char === '+';
  return isMark && isSpace(text.charCodeAt(end + 1)) ? end + 2 : -1;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === 0x09;
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) > 0x20) return false;
  return true;
}
