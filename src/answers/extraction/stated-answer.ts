import { type Anchor, findAnchors } from './anchors.ts';
import { findLastNumber } from './last-number.ts';
import { findMathSpans, type MathSpan } from './math-spans.ts';
import { isMathematical, isReadable } from './readable.ts';
import { tidyAnswer } from './tidy-answer.ts';
import { trailingGroup } from './trailing-group.ts';

/** A candidate answer and where it stands. */
export interface Candidate {
  text: string;
  at: number;
  /** Where it ends, so that a truncated completion can be told from a complete one. */
  end: number;
}

/** Only this many announcements are read, from the last one backwards. */
const MAX_ANCHORS = 8;
/** A statement is at most this long. */
const MAX_STATEMENT = 1500;
const MAX_WORDS = 6;
/** A statement reaches over at most this many lines that end in a colon. */
const MAX_LINES = 4;
/** Beginnings of statements about an answer that do not give it. */
const NO_ANSWER =
  /^(?:not|that|to|in|as|given|below|above|shown|found|obtained|unclear|unknown|(?:in)?correct|wrong|right|therefore|thus|because|since|if|when|we|i|it|this|there)\b/i;
const AMOUNT = /[$€£]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?[$€£]/g;
const LAST_LINK = /^.*(?:\bis\b|\bare\b|\bequals\b|[是为为])\s*(?=\S)/su;
const FRAGMENT = /[-−]?[([]?\s?\\(?:frac|dfrac|tfrac|sqrt|pi|left|boxed|begin)[\s\S]*[\w})\]]/;

/** The answer that the text announces last in words ("the answer is …"), or null. */
export function findStatedAnswer(text: string, finalOnly = false): Candidate | null {
  for (const anchor of findAnchors(text, MAX_ANCHORS, finalOnly).reverse()) {
    const found = readStatement(text, anchor, !finalOnly);
    if (found !== null) return found;
  }
  return null;
}

function readStatement(text: string, anchor: Anchor, words: boolean): Candidate | null {
  const { start, end } = statementAt(text, anchor.from);
  const statement = text.slice(start, end);
  // `Final answer: … [Answer: 9]`: the innermost announcement counts.
  const inner = findAnchors(statement, 1).at(-1);
  if (inner !== undefined && start + inner.from > anchor.from && inner.from < statement.trimEnd().length) {
    return readStatement(text, { ...inner, at: start + inner.at, from: start + inner.from }, words);
  }
  if (statement.trim() === '' || !isBalanced(statement)) return null;
  const place = (candidate: string, from: number, to: number): Candidate => ({
    text: candidate,
    at: start + from,
    end: start + to,
  });
  const spans = findMathSpans(statement);
  const group = trailingGroup(statement, spans);
  const number = findLastNumber(maskSpans(statement, spans));
  if (group !== null && (number === null || number.start < group.from || isReadable(group.text))) {
    const later =
      number !== null &&
      number.start > group.to &&
      !/^[^.]{0,40}\b(?:for|when|if|where)\b/.test(statement.slice(group.to));
    const linked = later && /\b(?:is|are|equals|be)\b/.test(statement.slice(group.to, number.start));
    if (!linked) return place(group.text, group.from, group.to);
  }
  const whole = tidyAnswer(statement);
  if (isMathematical(whole)) return place(whole, 0, statement.length);
  const link = LAST_LINK.exec(statement.slice(0, 400));
  const rest = link === null ? '' : tidyAnswer(statement.slice(link[0].length));
  if (link !== null && isMathematical(rest)) return place(rest, link[0].length, statement.length);
  const fragment = FRAGMENT.exec(statement);
  if (fragment !== null && isMathematical(fragment[0]))
    return place(fragment[0], fragment.index, fragment.index + fragment[0].length);
  const amount = findAmount(statement);
  if (amount !== null) return place(amount.text, amount.from, amount.to);
  if (number !== null) return place(statement.slice(number.start, number.end), number.start, number.end);
  const short = whole.split(/\s+/).length <= MAX_WORDS;
  return words && short && whole !== '' && !NO_ANSWER.test(whole) ? place(whole, 0, statement.length) : null;
}

/** The only amount of money of a sentence; it answers, whatever other numbers the sentence holds. */
function findAmount(statement: string): { text: string; from: number; to: number } | null {
  const amounts = [...statement.matchAll(AMOUNT)];
  const [amount] = amounts;
  if (amount === undefined || amounts.length > 1) return null;
  const text = (amount[1] ?? amount[2] ?? '').trim();
  const from = amount.index + amount[0].indexOf(text);
  return { text, from, to: from + text.length };
}

/** The sentence from `from` on; a sentence that ends in a colon reaches into the next line. */
function statementAt(text: string, from: number): { start: number; end: number } {
  let start = from;
  while (start < text.length && /[\s*_"“”'>#-]/.test(text.charAt(start)) && !isSign(text, start)) start += 1;
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

function isSign(text: string, at: number): boolean {
  return text.charAt(at) === '-' && /[\d.\\(]/.test(text.charAt(at + 1));
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
    else if (char === '\n' || char === '。') return at;
    else if (
      /[.!?]/.test(char) &&
      dollars % 2 === 0 &&
      parens <= 0 &&
      /^(?:[\s"”*]|$)/.test(text.charAt(at + 1))
    )
      return at;
  }
  return limit;
}

function maskSpans(statement: string, spans: readonly MathSpan[]): string {
  let masked = '';
  let at = 0;
  for (const span of spans) {
    masked += statement.slice(at, span.from) + ' '.repeat(span.to - span.from);
    at = span.to;
  }
  return masked + statement.slice(at);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === 0x5c) i += 1;
    else if (char === 0x7b) depth += 1;
    else if (char === 0x7d) depth -= 1;
  }
  return depth <= 0;
}
