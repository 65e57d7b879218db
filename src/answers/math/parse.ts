import { tokenize } from './lexer.ts';
import type { Node } from './node.ts';
import { parseArgument, parseSumWithOver } from './parse-argument.ts';
import { parseProduct, parseSum } from './parse-arithmetic.ts';
import { parseItem } from './parse-item.ts';
import { parsePower } from './parse-power.ts';
import { parseBareSequence, parseBracketed } from './parse-sequence.ts';
import { ParseFailure, type ParseState, type Rules } from './parse-state.ts';

const RULES: Rules = {
  sum: (state) => parseSumWithOver(state, parseSum),
  product: parseProduct,
  power: parsePower,
  item: parseItem,
  bracketed: parseBracketed,
  argument: parseArgument,
};

/** Parses a prepared answer whole, or gives null: a part of an answer is never taken for the answer. */
export function parse(text: string): Node | null {
  const tokens = tokenize(text);
  if (tokens === null || tokens.length === 0) return null;
  const state: ParseState = {
    text,
    tokens,
    rules: RULES,
    at: 0,
    depth: 0,
    bars: 0,
    builder: false,
    integral: null,
  };
  try {
    const node = parseBareSequence(state);
    return state.at === tokens.length ? node : null;
  } catch (error) {
    if (error instanceof ParseFailure) return null;
    throw error;
  }
}
