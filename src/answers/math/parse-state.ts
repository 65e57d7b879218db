import type { Node } from './node.ts';
import type { Token } from './token.ts';

/** Deeper nesting than this is not parsed. */
const MAX_DEPTH = 120;

/** Thrown inside the parser only; `parse` turns it into null. */
export class ParseFailure extends Error {}

const FAILURE = new ParseFailure('the answer does not parse whole');

/** The grammar rules that refer to each other, so that each can live in a file of its own. */
export interface Rules {
  /** An expression with `+` and `-`. */
  sum(state: ParseState): Node;
  /** Factors, with `*`, `/` and juxtaposition. */
  product(state: ParseState): Node;
  /** A factor with its exponent and what follows it. */
  power(state: ParseState): Node;
  /** One item of a list: a relation, a set expression, or text. */
  item(state: ParseState): Node;
  /** Items up to a closing operator, which is consumed. */
  bracketed(state: ParseState, open: string): Node;
  /** An argument of a command: a group in braces or a single token. */
  argument(state: ParseState): Node;
}

export interface ParseState {
  readonly text: string;
  readonly tokens: Token[];
  readonly rules: Rules;
  at: number;
  depth: number;
  /** Open `|` bars: inside them the next bar closes. */
  bars: number;
  /** Inside `\{…\}` before its condition: a bar or colon starts the condition. */
  builder: boolean;
  /** The innermost integral, which takes the variable of the differential that it meets. */
  integral: { variable: string | null } | null;
}

export function fail(): never {
  throw FAILURE;
}

export function peek(state: ParseState, ahead = 0): Token | undefined {
  return state.tokens[state.at + ahead];
}

export function isOperator(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.type === 'operator' && token.text === text;
}

export function isCommand(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.type === 'command' && token.text === text;
}

/** Consumes the operator if it is next. */
export function accept(state: ParseState, text: string): boolean {
  if (!isOperator(peek(state), text)) return false;
  state.at += 1;
  return true;
}

export function expect(state: ParseState, text: string): void {
  if (!accept(state, text)) fail();
}

/** Runs a rule one level deeper; fails beyond the nesting limit. */
export function nested<T>(state: ParseState, rule: () => T): T {
  state.depth += 1;
  if (state.depth > MAX_DEPTH) fail();
  const result = rule();
  state.depth -= 1;
  return result;
}

/** Runs a rule with bars, set-builder and integral contexts closed off, as inside brackets. */
export function inBrackets<T>(state: ParseState, rule: () => T, builder = false): T {
  const { bars, builder: outer } = state;
  state.bars = 0;
  state.builder = builder;
  const result = nested(state, rule);
  state.bars = bars;
  state.builder = outer;
  return result;
}
