import type { Token, TokenKind } from './choice-token.ts';

/** Scripts that put no spaces between words. */
export const UNSPACED_CHAR = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const CLOSES_LOWER = /^(?:$|[).:,;\]}$\\]|\s*$|\s*\n|\P{ASCII})/u;
const TURKISH_LABEL = /^[A-J]['’](?:d[iıuü]r|t[iıuü]r)$/;
/** What may follow the letters that are an article and a pronoun too. */
const AFTER_A: ReadonlySet<TokenKind> = new Set([
  'link',
  'not',
  'cannot',
  'after',
  'join',
  'contrast',
  'fail',
  'modal',
  'suppose',
  'doubt',
  'reason',
]);
const BEFORE_A: ReadonlySet<TokenKind> = new Set([
  'link',
  'noun',
  'announce',
  'pick',
  'contrast',
  'not',
  'cannot',
]);

/** The label that a Latin word at `at` is, or null: one letter A–J; a lower-case one in brackets or before a closing mark only. */
export function readLabel(text: string, at: number, end: number): Token | null {
  if (end > at + 1 && !isTurkish(text, at, end)) return null;
  const letter = text.charAt(at);
  if (!/[A-Ja-j]/.test(letter)) return null;
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(end, end + 2);
  const last = before.slice(-1);
  if (/\p{L}/u.test(last) && !UNSPACED_CHAR.test(last)) return null;
  if (/^['’]/.test(after) && !/['‘’]$/.test(before)) return null;
  const bracketed = /[([（【［]\s?$/.test(before) && /^\s?[)\]）】］]/.test(after);
  const lower = letter !== letter.toUpperCase();
  if (lower && !bracketed && !CLOSES_LOWER.test(text.slice(end, end + 12))) return null;
  const dress = lower ? 'lower' : bracketed ? 'brackets' : 'bare';
  return { kind: 'label', start: at, end, letters: [letter.toUpperCase()], dress, word: letter };
}

/** `A'dır`; asked of every word, so the apostrophe is looked for first. */
function isTurkish(text: string, at: number, end: number): boolean {
  const mark = text.charAt(at + 1);
  return (mark === "'" || mark === '’') && TURKISH_LABEL.test(text.slice(at, end));
}

/** The letters A and I are labels where a word that speaks of an option follows, or one leads to it; else words of English. */
export function isArticle(text: string, tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  const next = tokens[i + 1];
  if (token?.kind !== 'label' || token.dress !== 'bare' || next === undefined) return false;
  const letter = token.letters[0];
  if (letter !== 'A' && letter !== 'I') return false;
  if (!/^\s+[\p{Ll}\d]/u.test(text.slice(token.end, token.end + 4))) return false;
  const before = tokens[i - 1]?.kind;
  if (before === 'noun') return false;
  if (letter === 'I') return !/^(?:is|because|since|or)$/.test(next.word);
  return !AFTER_A.has(next.kind) && (before === undefined || !BEFORE_A.has(before));
}
