import type { Span } from './span.ts';

const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*$/gm;

/**
 * The content of the last closed fenced code block that is not empty. A block that the text never closes counts only
 * where there is no closed one; a text without fences has none.
 */
export function findCodeBlock(text: string): Span | null {
  let closed: Span | null = null;
  let open: { start: number; mark: string } | null = null;
  for (const fence of text.matchAll(FENCE)) {
    const mark = fence[1] ?? '';
    const end = fence.index + fence[0].length;
    if (open === null) {
      open = { start: Math.min(end + 1, text.length), mark };
    } else if (mark.startsWith(open.mark) && fence[2] === '') {
      if (text.slice(open.start, fence.index).trim() !== '') closed = { start: open.start, end: fence.index };
      open = null;
    }
  }
  if (closed !== null || open === null) return closed;
  return text.slice(open.start).trim() === '' ? null : { start: open.start, end: text.length };
}
