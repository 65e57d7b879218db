import { readDate } from './calendar-date.ts';
import { readCommand } from './lex-command.ts';
import { foreignUnit, readLetters } from './lex-letters.ts';
import { type LexState, pushToken, skipTo } from './lex-state.ts';
import { scanNumber } from './scan-number.ts';
import { MAX_TOKENS, type Token } from './token.ts';

const PAIRS: Readonly<Record<string, string>> = {
  '<=': 'le',
  '=<': 'le',
  '>=': 'ge',
  '==': '=',
  ':=': '=',
  '**': '^',
  '->': 'to',
  '=>': 'implies',
  '<>': 'ne',
};

const DATE = /\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?![\d/-])/y;

/** Splits a prepared answer into tokens, or null where it has too many of them. One pass. */
export function tokenize(text: string): Token[] | null {
  const state: LexState = { text, at: 0, end: text.length, depth: 0, spaced: false, tokens: [], groups: [] };
  while (state.at < state.end) {
    if (state.tokens.length > MAX_TOKENS) return null;
    step(state);
  }
  return state.tokens;
}

function step(state: LexState): number {
  const { text, at } = state;
  if (state.groups.at(-1)?.end === at) {
    state.groups.pop();
    return skipTo(state, at + 1);
  }
  const char = text.charAt(at);
  if (/[\s~]/.test(char)) return skipTo(state, at + 1);
  if (isDigit(text, at) && startsItem(state)) {
    DATE.lastIndex = at;
    const date = DATE.exec(text)?.[0];
    if (date !== undefined && readDate(date) !== null)
      return pushToken(state, 'word', date, at + date.length);
  }
  if (isDigit(text, at) || (char === '.' && isDigit(text, at + 1))) {
    const number = scanNumber(text, at, state.depth === 0);
    return pushToken(state, 'number', number.literal, number.end);
  }
  if (/[A-Za-z]/.test(char)) return readLetters(state);
  const foreign = text.charCodeAt(at) > 0x7f ? foreignUnit(state) : null;
  if (foreign !== null) return pushToken(state, 'word', foreign, at + foreign.length);
  return char === '\\' ? readCommand(state) : readOperator(state, char);
}

function readOperator(state: LexState, char: string): number {
  const { text, at } = state;
  if (text.startsWith('...', at)) return pushToken(state, 'operator', 'dots', at + 3);
  const pair = text.slice(at, at + 2);
  if (Object.hasOwn(PAIRS, pair)) return pushToken(state, 'operator', PAIRS[pair] ?? pair, at + 2);
  if (pair === '!=') {
    // After a number or a bracket the mark is a factorial: `5!=120`.
    const factorial = !state.spaced && /[\d)]/.test(text.charAt(at - 1));
    return factorial ? pushToken(state, 'operator', '!', at + 1) : pushToken(state, 'operator', 'ne', at + 2);
  }
  if (char === '(' || char === '[') state.depth += 1;
  if (char === ')' || char === ']') state.depth = Math.max(0, state.depth - 1);
  if (char === '"' || char === '`') return skipTo(state, at + 1);
  const code = text.codePointAt(at) ?? 0;
  return pushToken(state, 'operator', String.fromCodePoint(code), at + (code > 0xffff ? 2 : 1));
}

/** Where a date can stand: elsewhere the same signs are arithmetic. */
function startsItem(state: LexState): boolean {
  const last = state.tokens.at(-1);
  return (
    last === undefined || (last.type === 'operator' && /^(?:,|;|and|or|=|in|gap|row|\\\{)$/.test(last.text))
  );
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
