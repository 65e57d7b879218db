import type { Span } from './span.ts';

const MARK = '####';
/** A heading of the fourth level, not an answer. */
const HEADING = /^[\s*_]{0,8}(?:(?:the|final|correct)\s){0,3}(?:answer|solution)?[\s*_:：]{0,8}$/i;

/** The answer after the last `####` that something follows, up to the end of its line. */
export function findGsm8k(text: string): Span | null {
  for (let at = text.lastIndexOf(MARK); at >= 0; at = text.lastIndexOf(MARK, at - 1)) {
    const start = at + MARK.length;
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (!HEADING.test(text.slice(start, end)) && text.slice(start, end).trim() !== '') return { start, end };
    if (at === 0) break;
  }
  return null;
}
