import type { Span } from './span.ts';

/** A span of mathematics: `start` and `end` are those of its content, `from` and `to` those with delimiters. */
export interface MathSpan extends Span {
  from: number;
  to: number;
}

const PROSE = /[A-Za-z]{3,}\s+[A-Za-z]{2,}/;

/**
 * The spans between `$`, `$$`, `\(`…`\)` and `\[`…`\]`, in order. A dollar sign before an amount of money opens none.
 * One pass: a delimiter that was found to have no closer ahead is not searched for again.
 */
export function findMathSpans(text: string): MathSpan[] {
  const spans: MathSpan[] = [];
  const exhausted = new Set<string>();
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x24) at = readDollar(text, at, exhausted, spans);
    else if (char === 0x5c) at = readBackslash(text, at, exhausted, spans);
    else at += 1;
  }
  return spans;
}

function readDollar(text: string, at: number, exhausted: Set<string>, spans: MathSpan[]): number {
  if (text.charCodeAt(at + 1) === 0x24) {
    const close = find(text, '$$', at + 2, exhausted);
    return close < 0 ? at + 2 : push(spans, at, at + 2, close, close + 2);
  }
  let close = at + 1;
  while (close < text.length) {
    const char = text.charCodeAt(close);
    if (char === 0x0a || char === 0x24) break;
    close += char === 0x5c ? 2 : 1;
  }
  if (text.charCodeAt(close) !== 0x24) return close;
  const content = text.slice(at + 1, Math.min(close, at + 400));
  // `$12, $15 and $20`: the second dollar sign belongs to the next amount.
  const amounts = /^\d/.test(content) && /\s$/.test(content) && /\d/.test(text.charAt(close + 1));
  const money = amounts || (!content.includes('\\') && PROSE.test(content));
  return content.trim() === '' || money ? close : push(spans, at, at + 1, close, close + 1);
}

function readBackslash(text: string, at: number, exhausted: Set<string>, spans: MathSpan[]): number {
  const next = text.charCodeAt(at + 1);
  if (next === 0x28) {
    const close = find(text, '\\)', at + 2, exhausted);
    if (close < 0 || text.slice(at + 2, close).includes('\n')) return at + 2;
    return push(spans, at, at + 2, close, close + 2);
  }
  if (next === 0x5b) {
    const close = find(text, '\\]', at + 2, exhausted);
    return close < 0 ? at + 2 : push(spans, at, at + 2, close, close + 2);
  }
  return at + 2;
}

function push(spans: MathSpan[], from: number, start: number, end: number, to: number): number {
  if (end > start) spans.push({ from, start, end, to });
  return to;
}

function find(text: string, mark: string, from: number, exhausted: Set<string>): number {
  if (exhausted.has(mark)) return -1;
  const at = text.indexOf(mark, from);
  if (at < 0) exhausted.add(mark);
  return at;
}
