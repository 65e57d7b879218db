import { type Anchor, findAnchors } from './anchors.ts';
import type { Lead } from './announcing-words.ts';
import { blankDenied, denialAfter } from './denied.ts';
import { isMathematical } from './readable.ts';
import { statementAt } from './statement.ts';
import { findValue, isBound, mainClause } from './statement-value.ts';
import { tidyAnswer } from './tidy-answer.ts';
import type { Value } from './value-list.ts';

/** A candidate answer and where it stands. */
export interface Candidate {
  text: string;
  at: number;
  /** Where it ends, so that a truncated completion can be told from a complete one. */
  end: number;
  /** Only words announce it, no mark closes it. */
  inWords?: boolean;
}

/** Only this many announcements are read, from the last one backwards. */
const MAX_ANCHORS = 8;
const MAX_WORDS = 6;
const MAX_WORDS_WITH_REASON = 3;
const MAX_DENIALS = 4;
/** Beginnings of statements about an answer that do not give it. */
const NO_ANSWER =
  /^(?:not|that|to|in|as|given|below|above|shown|found|obtained|unclear|unknown|(?:in)?correct|wrong|right|therefore|thus|because|since|if|when|we|i|it|this|there)\b/i;
/** The next sentence takes the statement back: `The answer is 42. Actually, no: 43.` A doubt alone takes nothing back. */
const RETRACTED =
  /^[.!…]?[\s*_]{1,4}(?:(?:actually|wait|hmm+|oops|sorry|oh|hold on|but|well|ah)[\s,.!…—–-]{1,5}){0,3}(?:no(?=\s?[,.:;!—–-])|(?:that|this|it)(?:'s|’s| is| was| would be) (?:wrong|incorrect|not (?:right|correct|it)|a mistake|false)|(?:scratch|strike) that|correction\b|i (?:made|was) (?:a mistake|an error|wrong|mistaken)|my (?:mistake|bad)\b)/i;

/** The answer that the text announces last in words ("the answer is …") behind a place, or null. */
export function findStatedAnswer(text: string, finalOnly = false, from = 0): Candidate | null {
  const denied: string[] = [];
  let tries = 0;
  for (const anchor of findAnchors(text, finalOnly, from)) {
    const found = readStatement(text, anchor, !finalOnly, denied);
    if (found !== null) return denied.some((part) => part.includes(found.text)) ? null : found;
    tries += 1;
    if (tries === MAX_ANCHORS) break;
  }
  return null;
}

function readStatement(text: string, anchor: Anchor, words: boolean, denied: string[]): Candidate | null {
  const { start, end } = statementAt(text, anchor.from);
  const statement = text.slice(start, end);
  // `Final answer: … [Answer: 9]`: the innermost announcement counts.
  const [inner] = findAnchors(statement);
  if (inner !== undefined && start + inner.from > anchor.from && inner.from < statement.trimEnd().length) {
    return readStatement(text, { ...inner, at: start + inner.at, from: start + inner.from }, words, denied);
  }
  if (statement.trim() === '' || !isBalanced(statement)) return null;
  // A question asks whether it is the answer.
  if (/[?？]/.test(text.charAt(end))) return null;
  if (RETRACTED.test(text.slice(end, end + 96))) {
    denied.push(statement);
    return null;
  }
  let asserted = blankDenied(statement);
  let value = readAsserted(asserted, anchor.lead, words);
  for (let denials = 0; value !== null && denials < MAX_DENIALS; denials += 1) {
    const denial = denialAfter(asserted.slice(value.to, value.to + 24));
    if (denial === 0) break;
    const next = value.to + denial;
    asserted = ' '.repeat(next) + asserted.slice(next);
    value = findValue(asserted, anchor.lead);
  }
  if (value === null) {
    denied.push(statement);
    return null;
  }
  return { text: value.text, at: start + value.from, end, inWords: true };
}

function readAsserted(asserted: string, lead: Lead, words: boolean): Value | null {
  // In other languages the words around the number would not tell the bound from it.
  if (isBound(asserted)) return lead.english && words ? findWords(asserted) : null;
  return findValue(asserted, lead) ?? (words ? findWords(asserted) : null);
}

/** A short answer in words. */
function findWords(statement: string): Value | null {
  const main = mainClause(statement);
  const whole = tidyAnswer(main.trimEnd().replace(/[,;:(]$/, ''));
  const limit = main === statement ? MAX_WORDS : MAX_WORDS_WITH_REASON;
  const given = isMathematical(whole) || whole.split(/\s+/).length <= limit;
  return given && whole !== '' && !NO_ANSWER.test(whole)
    ? { text: whole, from: 0, to: statement.length }
    : null;
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
