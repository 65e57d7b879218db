import type { Span } from './span.ts';

const MARK = '####';
const NEXT_QUESTION = /\n\s{0,8}(?:Question|Problem|Q)\s?:/;

/**
 * The answer after the last `####`, up to the end of its line. A base model that runs on into a new
 * `Question:` is cut there first, or the answer would be the next question's.
 */
export function findGsm8k(text: string): Span | null {
  const first = text.indexOf(MARK);
  if (first < 0) return null;
  const runOn = text.slice(first).search(NEXT_QUESTION);
  const limit = runOn < 0 ? text.length : first + runOn;
  for (let at = text.lastIndexOf(MARK, limit - 1); at >= first; at = text.lastIndexOf(MARK, at - 1)) {
    const start = at + MARK.length;
    const newline = text.indexOf('\n', start);
    const end = newline < 0 || newline > limit ? limit : newline;
    if (text.slice(start, end).trim() !== '') return { start, end };
    if (at === 0) break;
  }
  return null;
}
