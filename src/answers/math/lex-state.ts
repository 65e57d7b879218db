import type { Token, TokenType } from './token.ts';

/** A `\text{…}`-like group: where it closes, and whether its content is upright, as units are. */
export interface TextGroup {
  end: number;
  upright: boolean;
}

export interface LexState {
  readonly text: string;
  readonly end: number;
  at: number;
  /** Open round, square and escaped curly brackets. */
  depth: number;
  spaced: boolean;
  /** The open text groups, the innermost last. */
  groups: TextGroup[];
  readonly tokens: Token[];
}

/** Adds a token that reaches to `end`, and moves there; returns the new position, as every reader does. */
export function pushToken(state: LexState, type: TokenType, text: string, end: number): number {
  const upright = isUpright(state);
  state.tokens.push({ type, text, start: state.at, end, spaced: state.spaced, upright });
  state.spaced = false;
  state.at = end;
  return end;
}

export function isUpright(state: LexState): boolean {
  return state.groups.some((group) => group.upright);
}

/** Moves on without a token, as over white space. */
export function skipTo(state: LexState, end: number): number {
  state.spaced = true;
  state.at = Math.max(end, state.at + 1);
  return state.at;
}
