import { type Label, readLabel } from './label.ts';
import type { Node } from './node.ts';
import { isRelation } from './operators.ts';
import { isOperator, type ParseState, peek } from './parse-state.ts';
import type { Token } from './token.ts';
import { unitEnd } from './unit-symbols.ts';
import { isUnit } from './unit-words.ts';

const JOINERS = new Set(['/', '*', '-', '^', '{', '}', '.', "'", 'deg', '(', ')']);

/** Letters of the longest symbol that `unitEnd` knows. */
const MAX_SYMBOL = 4;

/**
 * Consumes a unit or words that end an item: `cm`, `\mathrm{~m}/\mathrm{s}^2`, `packs of gum`, and says what they do to the
 * number. Null, with nothing consumed, where a word is followed by anything else; a lone italic letter is a variable. After
 * variables only known or upright units count: `No solution` is no product.
 */
export function parseUnitTail(state: ParseState, numeric: boolean): Label | null {
  const bracketed = isOperator(peek(state), '(') && numeric;
  const first = peek(state, bracketed ? 1 : 0);
  if (first === undefined || (bracketed && first.type !== 'word')) return null;
  const before = peek(state, -1);
  const literal = before?.type === 'number' || isOperator(before, '}');
  if (literal && !bracketed && !first.upright && first.text.length <= MAX_SYMBOL && isLetters(first)) {
    const symbols = parseSymbols(state, first);
    if (symbols !== null) return symbols;
  }
  if (!isUnitToken(first, before)) return null;
  if (!numeric && !first.upright && !isUnit(first.text)) return null;
  const at = tailEnd(state);
  const last = state.tokens[at - 1];
  if (at < 0 || last === undefined) return null;
  if (isOperator(last, '/') || isOperator(last, '*') || isOperator(last, '-')) return null;
  const tail = state.tokens.slice(state.at, at);
  state.at = at;
  const words = tail.filter(
    (token) => isOperator(token, '/') || (token.type !== 'operator' && token.type !== 'number'),
  );
  const powers = tail.filter((token) => token.type === 'number');
  const label = readLabel(words.map((token) => (isOperator(token, '/') ? 'per' : token.text)));
  return { ...label, text: label.text + powers.map((token) => token.text).join('') };
}

function isLetters(token: Token): boolean {
  return token.type === 'name' || token.type === 'word' || token.type === 'function';
}

/** The number with its label as a node. */
export function labelNode(item: Node, label: Label): Node {
  return label.sense === 'unit'
    ? { kind: 'unit', item, label: label.text }
    : { kind: 'labelled', item, label: label.text, noun: label.sense === 'noun' };
}

/** `58 m^2`: a unit in plain letters behind a literal number that is the whole item. */
function parseSymbols(state: ParseState, first: Token): Label | null {
  const end = unitEnd(state.text, first.start, first.spaced);
  if (end < 0) return null;
  let at = state.at;
  while ((state.tokens[at]?.end ?? Number.POSITIVE_INFINITY) <= end) at += 1;
  if (!isEnd(state.tokens[at]) || !isLiteral(state)) return null;
  state.at = at;
  return { sense: 'unit', text: state.text.slice(first.start, end).replace(/[\s{}\\]/g, '') };
}

/** Whether nothing but a number, a fraction or a power of numbers stands in the item so far. */
function isLiteral(state: ParseState): boolean {
  for (let at = state.at - 1; at >= 0; at -= 1) {
    const token = state.tokens[at];
    if (token === undefined || token.type === 'number' || token.text === 'frac') continue;
    if (token.type !== 'operator') return false;
    if (/^(?:[-*/^{}]|pm)$/.test(token.text)) continue;
    return isRelation(token.text) || /^(?:,|;|and|or|gap|row|&|\(|\[|\\\{)$/.test(token.text);
  }
  return true;
}

/** The index behind the words that end the item here, or -1. */
function tailEnd(state: ParseState): number {
  let at = state.at;
  let open = 0;
  for (; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token === undefined) break;
    if (token.upright && isSeparator(token) && state.tokens[at + 1]?.type !== 'word') break;
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
  return open === 0 && isEnd(state.tokens[at]) ? at : -1;
}

/** Within a text group a separator before a word is part of the phrase: `12 \text{ apples, in total}`. */
function isSeparator(token: Token): boolean {
  return token.type === 'operator' && /^(?:,|;|and|or)$/.test(token.text);
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
