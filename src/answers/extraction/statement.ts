import type { Span } from './span.ts';

/** A statement is at most this long. */
const MAX_STATEMENT = 1500;
/** A statement reaches over at most this many lines that end in a colon. */
const MAX_LINES = 4;

/** The sentence from `from` on; a sentence that ends in a colon reaches into the next line. */
export function statementAt(text: string, from: number): Span {
  let start = from;
  // A quotation mark may come with the escape of a string that it was cut from.
  while (
    start < text.length &&
    /[\s*_"“”'>#-]/.test(text.charAt(start + escapes(text, start))) &&
    !isSign(text, start)
  )
    start += 1 + escapes(text, start);
  const limit = Math.min(text.length, start + MAX_STATEMENT);
  let end = sentenceEnd(text, start, limit);
  for (
    let lines = 0;
    lines < MAX_LINES && end < limit && /[:：]\s*$/.test(text.slice(start, end));
    lines += 1
  ) {
    let next = end;
    while (next < limit && /\s/.test(text.charAt(next))) next += 1;
    if (next >= limit) break;
    end = displayEnd(text, next, limit) ?? sentenceEnd(text, next, limit);
  }
  return { start, end: displayEnd(text, start, limit) ?? end };
}

/** 1 where an escaped quotation mark stands, else 0. */
function escapes(text: string, at: number): number {
  return text.startsWith('\\"', at) ? 1 : 0;
}

function isSign(text: string, at: number): boolean {
  return text.charAt(at) === '-' && /[\p{Nd}.\\(]/u.test(text.charAt(at + 1));
}

/** A display formula spans lines; its end is that of the statement that it opens. */
function displayEnd(text: string, at: number, limit: number): number | null {
  const open = text.startsWith('\\[', at) ? '\\]' : text.startsWith('$$', at) ? '$$' : null;
  if (open === null) return null;
  const close = text.indexOf(open, at + 2);
  return close < 0 || close > limit ? null : close + 2;
}

/** The end of the sentence; what looks like one inside a formula (`11,\! 111`, `5! 7!`) is none. */
function sentenceEnd(text: string, from: number, limit: number): number {
  let dollars = 0;
  let parens = 0;
  for (let at = from; at < limit; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') {
      const next = text.charAt(at + 1);
      if (next === '(') parens += 1;
      if (next === ')') parens -= 1;
      at += 1;
    } else if (char === '$') dollars += 1;
    else if (char === '\n' || char === '。' || char === '।') return at;
    else if (
      /[.!?؟]/.test(char) &&
      dollars % 2 === 0 &&
      parens <= 0 &&
      /^(?:[\s"”*]|$)/.test(text.charAt(at + 1)) &&
      !(char === '!' && /^\s?[-−+*/^=<>!)a-z]/.test(text.slice(at + 1, at + 3)))
    )
      return at;
  }
  return limit;
}
