import type { Node } from './node.ts';
import { parsePrimary } from './parse-primary.ts';
import { fail, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';

/** A command's argument: a group in braces, or one token — of a number only its first digit. */
export function parseArgument(state: ParseState): Node {
  if (isOperator(peek(state), '{')) return parseGroup(state);
  const token = peek(state);
  if (token?.type === 'number' && /^\d{2,}$/.test(token.text)) {
    const split = token.start + 1;
    const first = { ...token, text: token.text.charAt(0), end: split };
    const rest = { ...token, text: token.text.slice(1), start: split };
    state.tokens.splice(state.at, 1, first, rest);
  }
  if (token?.type === 'name' && token.text !== 'infty') {
    state.at += 1;
    return { kind: 'symbol', name: token.text };
  }
  return parsePrimary(state);
}

function parseGroup(state: ParseState): Node {
  const start = state.at;
  const node = state.rules.bracketed(state, '{');
  if (state.at === start + 2) fail();
  return node;
}

/** `{a \choose b}` and `{a \over b}` join what stands around them inside a group. */
export function parseSumWithOver(state: ParseState, sum: (state: ParseState) => Node): Node {
  const top = sum(state);
  if (isCommand(peek(state), 'choose')) {
    state.at += 1;
    return { kind: 'call', name: 'binomial', args: [top, sum(state)] };
  }
  if (isCommand(peek(state), 'over')) {
    state.at += 1;
    return { kind: 'divide', top, bottom: sum(state) };
  }
  return top;
}
