import type { Span } from './span.ts';

/**
 * The content of the last closed fenced code block that is not empty. A block that the text never closes counts only
 * where there is no closed one; a text without fences has none. `language` leaves out blocks whose info string it does
 * not match. Line by line, so that it is linear.
 */
export function findCodeBlock(text: string, language: RegExp | null = null): Span | null {
  let closed: Span | null = null;
  let open: { start: number; mark: string; wanted: boolean } | null = null;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const mark = fenceAt(text, at);
    const bare = mark !== '' && text.slice(text.indexOf(mark, at) + mark.length, end).trim() === '';
    if (
      mark !== '' &&
      open === null &&
      (bare || !text.slice(at, end).trimStart().slice(mark.length).includes('`'))
    ) {
      const info = text.slice(text.indexOf(mark, at) + mark.length, end).trim();
      open = {
        start: Math.min(end + 1, text.length),
        mark,
        wanted: language === null || language.test(info),
      };
    } else if (open !== null && bare && mark.startsWith(open.mark)) {
      if (open.wanted && text.slice(open.start, at).trim() !== '') closed = { start: open.start, end: at };
      open = null;
    }
    at = end + 1;
  }
  if (closed !== null || open === null || !open.wanted) return closed;
  return text.slice(open.start).trim() === '' ? null : { start: open.start, end: text.length };
}

/** The run of three or more backticks or tildes that a line starts with, after at most three spaces; or ''. */
function fenceAt(text: string, line: number): string {
  let at = line;
  while (at < line + 3 && text.charCodeAt(at) === 0x20) at += 1;
  const char = text.charAt(at);
  if (char !== '`' && char !== '~') return '';
  let end = at;
  while (text.charAt(end) === char) end += 1;
  return end - at >= 3 ? text.slice(at, end) : '';
}
