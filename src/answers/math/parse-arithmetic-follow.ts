import { type ParseState, peek } from './parse-state.ts';
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
      if (token.text === '[' && closesInterval(state)) return false;
      if (token.text === '|') return state.bars === 0 && !state.builder;
      return /^(?:\(|\[|\{|\|\(|lfloor|lceil|\\\|)$/.test(token.text);
  }
}

/** The last bracket of the French `[a, b[`, after which nothing can stand in it. */
function closesInterval(state: ParseState): boolean {
  const next = peek(state, 1);
  return (
    next === undefined ||
    (next.type === 'operator' && /^(?:cup|cap|setminus|,|;|and|or|\)|\\\})$/.test(next.text))
  );
}
