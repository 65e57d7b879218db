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

/** Adds a token that reaches to `end`, and moves there. */
export function pushToken(state: LexState, type: TokenType, text: string, end: number): void {
  const upright = isUpright(state);
  state.tokens.push({ type, text, start: state.at, end, spaced: state.spaced, upright });
  state.spaced = false;
  state.at = end;
}

export function isUpright(state: LexState): boolean {
  return state.groups.some((group) => group.upright);
}
