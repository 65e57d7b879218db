import type { Node } from './node.ts';
import { isRelation } from './operators.ts';
import { isOperator, type ParseState, peek } from './parse-state.ts';
import type { Token } from './token.ts';

const OPENERS = /^(?:\(|\[|\\\{|\{)$/;
const CLOSERS = /^(?:\)|\]|\\\}|\})$/;
/** Letters of probability, whose brackets hold what they are taken of, not a factor. */
const EXPECTATION = /^[EPVD]$/;
const SEPARATOR = /^(?:,|;|and|or|land|lor|gap|row|&|\{|\()$/;

/**
 * `P(A|B)`, `P(X > 2)`, `E[X^2] = …`, `\text{Cov}(X, Y) = …`: what is asked for, written as a name over events and random
 * variables. It is a name of its own, with all that stands in its brackets. Null where a bracket may hold a factor.
 */
export function readEvent(state: ParseState, name: string): Node | null {
  const open = peek(state);
  if (!isOperator(open, '(') && !isOperator(open, '[')) return null;
  const head = peek(state, -1);
  const letter = head?.type === 'name' || head?.type === 'command';
  const end = closing(state);
  if (end === null) return null;
  const named = !letter || (EXPECTATION.test(name) && isSeparator(state.tokens[state.at - 2]));
  const after = state.tokens[end + 1];
  const asked = named && (isOperator(after, '=') || isOperator(after, 'approx'));
  if (!asked && !(letter && holdsEvent(state, end))) return null;
  const inside = state.tokens.slice(state.at + 1, end).map((token) => token.text);
  state.at = end + 1;
  return { kind: 'apply', name: `${name}(${inside.join(' ')})`, args: [] };
}

function isSeparator(token: Token | undefined): boolean {
  return token === undefined || (token.type === 'operator' && SEPARATOR.test(token.text));
}

/** Index of the bracket that closes the one that is next. */
function closing(state: ParseState): number | null {
  let depth = 0;
  for (let at = state.at; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token?.type !== 'operator') continue;
    if (OPENERS.test(token.text)) depth += 1;
    else if (CLOSERS.test(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

/** A relation, a condition bar or a set operation, which no factor in brackets holds. */
function holdsEvent(state: ParseState, end: number): boolean {
  let depth = 0;
  let bars = 0;
  for (let at = state.at + 1; at < end; at += 1) {
    const token = state.tokens[at];
    if (token?.type !== 'operator') continue;
    if (OPENERS.test(token.text)) depth += 1;
    else if (CLOSERS.test(token.text)) depth -= 1;
    else if (depth === 0 && isEventSign(token.text)) return true;
    else if (depth === 0 && token.text === '|') bars += 1;
  }
  // Two bars are an absolute value.
  return bars === 1;
}

function isEventSign(text: string): boolean {
  return isRelation(text) || /^(?:cap|cup|setminus|and|or|land|lor)$/.test(text);
}
