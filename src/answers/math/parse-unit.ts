import { isUnit } from './names.ts';
import { isRelation } from './operators.ts';
import { isOperator, type ParseState, peek } from './parse-state.ts';
import type { Token } from './token.ts';

const JOINERS = new Set(['/', '*', '-', '^', '{', '}', '.', "'", 'deg', '(', ')']);

/** Words that change the value of the number before them, so they are no unit. */
const COMPARISONS = new Set(
  'less more than fewer greater over under below above between least most mod modulo base except not no'.split(
    ' ',
  ),
);

/**
 * Consumes a unit or words that end an item: `cm`, `\mathrm{~m}/\mathrm{s}^2`, `packs of gum`. False, with
 * nothing consumed, where a word is followed by anything else; a lone italic letter is a variable. After variables only
 * known or upright units count: `No solution` is no product.
 */
export function parseUnitTail(state: ParseState, numeric: boolean): boolean {
  const bracketed = isOperator(peek(state), '(') && numeric;
  const first = peek(state, bracketed ? 1 : 0);
  if (bracketed && first?.type !== 'word') return false;
  if (first === undefined || !isUnitToken(first, peek(state, -1))) return false;
  if (!numeric && !first.upright && !isUnit(first.text)) return false;
  let at = state.at;
  let open = 0;
  for (; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token === undefined) break;
    if (token.type === 'word' && COMPARISONS.has(token.text.toLowerCase())) return false;
    if (token.type === 'word' || token.upright) continue;
    if (token.type === 'name' && (isOperator(state.tokens[at - 1], '/') || token.text === 'a')) continue;
    if (token.type === 'number' && isExponent(state.tokens, at)) continue;
    if (token.type !== 'operator' || !JOINERS.has(token.text)) break;
    if (token.text === '(' || token.text === '{') open += 1;
    if (token.text === ')' || token.text === '}') {
      if (open === 0) break;
      open -= 1;
    }
  }
  const last = state.tokens[at - 1];
  if (open !== 0 || !isEnd(state.tokens[at]) || last === undefined) return false;
  if (isOperator(last, '/') || isOperator(last, '*') || isOperator(last, '-')) return false;
  state.at = at;
  return true;
}

function isUnitToken(token: Token, before: Token | undefined): boolean {
  if (token.type === 'word') return true;
  if (!token.upright || (token.type !== 'name' && token.type !== 'function')) return false;
  const value =
    before !== undefined &&
    (before.type === 'number' ||
      isOperator(before, '}') ||
      isOperator(before, 'deg') ||
      isOperator(before, ')'));
  return value && !/^(?:e|i|pi|infty|theta)$/.test(token.text);
}

function isExponent(tokens: Token[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    isOperator(before, '^') ||
    isOperator(before, '{') ||
    (isOperator(before, '-') && isOperator(tokens[at - 2], '{'))
  );
}

/** An item ends at a separator, a closing bracket, a relation, or the end. */
function isEnd(token: Token | undefined): boolean {
  if (token === undefined) return true;
  if (token.type === 'command') return token.text.startsWith('end:');
  if (token.type !== 'operator') return false;
  return (
    isRelation(token.text) || /^(?:,|;|and|or|land|lor|gap|row|&|\)|\]|\}|\\\}|\||\|\)|%|:)$/.test(token.text)
  );
}
