import { isArticle, readLabel, UNSPACED_CHAR } from './choice-label.ts';
import { PHRASES, type Phrase, UNSPACED_KIND, UNSPACED_PHRASE } from './choice-phrases.ts';
import type { Marked, Token, TokenKind } from './choice-token.ts';

const LATIN = /[\p{Script=Latin}\p{N}_]+(?:['’-][\p{Script=Latin}]+)*/uy;
const FOREIGN =
  /(?:(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}])+/uy;
const COMMAND = /\\(?:[A-Za-z]+|.)?/suy;
const TAG = /<\/?[a-z]{1,20}\s?>/y;
const JOINING_COMMAND = /^\\(?:lor|vee|wedge|land|cup|cap|mid|pm)$/;
const DENYING_COMMAND = /^\\(?:not|neq?|neg|lnot|x?cancel|bcancel|sout|st|[hv]?phantom|iffalse)$/;
const MARKS: Readonly<Record<string, TokenKind>> = {
  '\n': 'line',
  '。': 'end',
  '！': 'end',
  '？': 'ask',
  ':': 'colon',
  '：': 'colon',
  '=': 'colon',
  '→': 'colon',
  '⇒': 'colon',
  ',': 'comma',
  ';': 'comma',
  '、': 'comma',
  '，': 'comma',
  '；': 'comma',
  '،': 'comma',
  '-': 'dash',
  '–': 'dash',
  '—': 'dash',
  '~': 'dash',
  '…': 'dash',
  '/': 'join',
  '&': 'join',
  '+': 'join',
  '|': 'join',
  '∨': 'join',
  '∧': 'join',
  '∪': 'join',
  '≠': 'not',
  '¬': 'not',
  '।': 'end',
};
/** What ends a sentence only before a space, a closing mark or the end. */
const STOPS: Readonly<Record<string, TokenKind>> = { '.': 'end', '!': 'end', '?': 'ask' };
const ENDS_AFTER = /^(?:$|[\s.,!?;:)\]}"”'’$\\]|\P{ASCII})/u;
const NO_PHRASES: readonly Phrase[] = [];
const NO_LETTERS: readonly string[] = [];
const SPACE = 0x20;
const UNDERSCORE = 0x5f;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
/**
 * The words, labels and marks of a text from `from` on, in order, and its boxes and tags from anywhere. Brackets, quotes and
 * what only dresses a text are left out. One pass.
 */
export function lexChoices(text: string, marked: readonly Marked[], from: number): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const mark of marked) {
    if (mark.start < at) continue;
    lexPlain(text, Math.max(at, from), mark.start, tokens);
    tokens.push({ ...mark, kind: mark.letters.length === 0 ? 'other' : 'label', dress: 'box', word: '' });
    at = mark.end;
  }
  lexPlain(text, Math.max(at, from), text.length, tokens);
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'label' && isArticle(text, tokens, i)) tokens[i] = { ...token, kind: 'other' };
  }
  return tokens;
}

function lexPlain(text: string, from: number, to: number, tokens: Token[]): void {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === SPACE) at += 1;
    else if (isPlainLetter(code)) at = lexWord(text, at, plainWordEnd(text, at), tokens);
    else if (code < 0x80 && !isDigit(code) && code !== UNDERSCORE) at = lexMark(text, at, tokens);
    else at = lexForeign(text, at, tokens);
  }
}

/** Most words are plain letters; what goes on otherwise is left to the pattern. */
function plainWordEnd(text: string, at: number): number {
  let end = at + 1;
  while (isPlainLetter(text.charCodeAt(end))) end += 1;
  const code = text.charCodeAt(end);
  const ends =
    code <= 0x7f && !isDigit(code) && code !== UNDERSCORE && code !== APOSTROPHE && code !== HYPHEN;
  return ends || Number.isNaN(code) ? end : at + (matchAt(LATIN, text, at)?.length ?? 1);
}

function lexWord(text: string, at: number, end: number, tokens: Token[]): number {
  const label = readLabel(text, at, end);
  if (label !== null) {
    tokens.push(label);
    return label.end;
  }
  const phrase = readPhrase(text, at, text.slice(at, end));
  return push(tokens, text, phrase.kind, at, phrase.end);
}

function lexForeign(text: string, at: number, tokens: Token[]): number {
  const latin = matchAt(LATIN, text, at);
  if (latin !== null) return lexWord(text, at, at + latin.length, tokens);
  const char = text.charAt(at);
  if (UNSPACED_CHAR.test(char)) {
    const phrase = matchAt(UNSPACED_PHRASE, text, at) ?? char;
    return push(tokens, text, UNSPACED_KIND.get(phrase) ?? 'other', at, at + phrase.length);
  }
  const foreign = matchAt(FOREIGN, text, at);
  if (foreign === null) return lexMark(text, at, tokens);
  const phrase = readPhrase(text, at, foreign);
  return push(tokens, text, phrase.kind, at, phrase.end);
}

function lexMark(text: string, at: number, tokens: Token[]): number {
  const char = text.charAt(at);
  if (char === '\\') {
    const command = matchAt(COMMAND, text, at) ?? char;
    if (JOINING_COMMAND.test(command)) push(tokens, text, 'join', at, at + command.length);
    else if (DENYING_COMMAND.test(command)) push(tokens, text, 'not', at, at + command.length);
    return at + command.length;
  }
  const tag = char === '<' ? matchAt(TAG, text, at) : null;
  if (tag !== null) return push(tokens, text, 'end', at, at + tag.length);
  const mark = markAt(text, at);
  return mark === null ? at + 1 : push(tokens, text, mark, at, at + 1);
}

function push(tokens: Token[], text: string, kind: TokenKind, start: number, end: number): number {
  tokens.push({ kind, start, end, letters: NO_LETTERS, dress: 'bare', word: text.slice(start, end) });
  return end;
}

function isPlainLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function markAt(text: string, at: number): TokenKind | null {
  const char = text.charAt(at);
  const stop = STOPS[char];
  if (stop === undefined) return MARKS[char] ?? null;
  if (char === '.' && text.charAt(at + 1) === '.') return 'dash';
  return ENDS_AFTER.test(text.charAt(at + 1)) ? stop : null;
}

/** The longest known phrase that starts with a word. */
function readPhrase(text: string, at: number, word: string): { kind: TokenKind; end: number } {
  const first = fold(word);
  for (const { words, kind } of PHRASES.get(first) ?? NO_PHRASES) {
    let end = at + word.length;
    let i = 1;
    for (; i < words.length; i += 1) {
      const next = words[i] ?? '';
      if (text.charAt(end) !== ' ' || fold(text.slice(end + 1, end + 1 + next.length)) !== next) break;
      end += 1 + next.length;
    }
    if (i === words.length && (i === 1 || !/^\p{L}/u.test(text.slice(end, end + 1)))) return { kind, end };
  }
  return { kind: first.endsWith("n't") ? 'cannot' : 'other', end: at + word.length };
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  return lower.includes('’') ? lower.replaceAll('’', "'") : lower;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
