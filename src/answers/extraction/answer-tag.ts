import type { Span } from './span.ts';

const TAG = /<(\/?)answer\s{0,4}>/gi;

/**
 * The last closed, non-blank `<answer>…</answer>`. Of several opening tags before one closing tag the last
 * counts, so an echoed instruction does not swallow the answer.
 */
export function findAnswerTag(text: string): Span | null {
  if (!text.includes('<')) return null;
  let found: Span | null = null;
  let start = -1;
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === '') {
      start = tag.index + tag[0].length;
    } else if (start >= 0) {
      if (text.slice(start, tag.index).trim() !== '') found = { start, end: tag.index };
      start = -1;
    }
  }
  return found;
}
