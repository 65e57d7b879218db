import type { ParseState } from './parse-state.ts';
import type { Token } from './token.ts';

/** Whether the token can follow a factor without a sign between them. */
export function startsFactor(state: ParseState, token: Token): boolean {
  switch (token.type) {
    case 'name':
    case 'function':
      return true;
    case 'number':
      return true;
    case 'word':
      return false;
    case 'command':
      return !token.text.startsWith('end:') && !/^(?:choose|over|unclosed|not|mathbb)$/.test(token.text);
    case 'operator':
      if (token.text === '|') return state.bars === 0 && !state.builder;
      return /^(?:\(|\[|\{|\|\(|lfloor|lceil|\\\|)$/.test(token.text);
  }
}
