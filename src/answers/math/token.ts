/**
 * What a token is:
 * `number` (text is a literal of number-literal.ts), `name` (a variable or constant), `function`, `word` (natural
 * language), `operator` (canonical spelling in text), `command` (a structural LaTeX command such as `frac`).
 */
export type TokenType = 'number' | 'name' | 'function' | 'word' | 'operator' | 'command';

export interface Token {
  type: TokenType;
  text: string;
  /** Where it stands in the prepared answer. */
  start: number;
  end: number;
  /** White space or a LaTeX space stands before it. */
  spaced: boolean;
  /** It was set upright (`\mathrm`, `\text`), as units are. */
  upright: boolean;
}

/** Beyond this many tokens an answer is compared as text only. */
export const MAX_TOKENS = 3000;

/** Whether an operand can end with the token, so that an operator may follow. */
export function endsOperand(token: Token): boolean {
  if (token.type === 'operator') return /^(?:\)|\]|\}|\\\}|\|\)|'|!|%|deg)$/.test(token.text);
  return token.type !== 'command' && token.type !== 'function';
}
