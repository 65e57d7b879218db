import type { Node } from './node.ts';
import { parseNumberLiteral } from './number-literal.ts';
import { parseCommand } from './parse-command.ts';
import { parseCasesArray } from './parse-environment.ts';
import { readEvent } from './parse-event.ts';
import { parseFunction } from './parse-function.ts';
import { parseName } from './parse-name.ts';
import { expect, fail, inBrackets, isOperator, nested, type ParseState, peek } from './parse-state.ts';

/** A number, name, function, bracket or command, without what follows it. */
export function parsePrimary(state: ParseState): Node {
  const token = peek(state);
  if (token === undefined) fail();
  switch (token.type) {
    case 'number': {
      const literal = parseNumberLiteral(token.text);
      if (literal === null) fail();
      state.at += 1;
      return { kind: 'number', value: literal.value, decimals: literal.decimals };
    }
    case 'name':
      return parseName(state);
    case 'function':
      return parseFunction(state);
    case 'command':
      return parseCommand(state);
    case 'operator':
      return parseBracket(state, token.text);
    case 'word':
      state.at += 1;
      return readEvent(state, token.text) ?? fail();
  }
}

function parseBracket(state: ParseState, open: string): Node {
  switch (open) {
    case '(':
    case '[':
    case '{':
    case ']':
      return state.rules.bracketed(state, open);
    case '\\{':
      return parseCasesArray(state) ?? state.rules.bracketed(state, open);
    case '|':
    case '|(':
      return parseBars(state);
    case '\\|':
      state.at += 1;
      return close(state, 'norm', '\\|');
    case 'lfloor':
      state.at += 1;
      return close(state, 'floor', 'rfloor');
    case 'lceil':
      state.at += 1;
      return close(state, 'ceil', 'rceil');
    case 'dots':
      state.at += 1;
      return { kind: 'dots' };
    default:
      return fail();
  }
}

function close(state: ParseState, name: string, mark: string): Node {
  const item = inBrackets(state, () => state.rules.sum(state));
  expect(state, mark);
  return { kind: 'call', name, args: [item] };
}

/** `|x|`, `\left|x\right|`, and around a matrix its determinant. */
function parseBars(state: ParseState): Node {
  state.at += 1;
  const { bars, builder } = state;
  state.bars = 1;
  state.builder = false;
  const item = nested(state, () => state.rules.sum(state));
  state.bars = bars;
  state.builder = builder;
  if (!isOperator(peek(state), '|') && !isOperator(peek(state), '|)')) fail();
  state.at += 1;
  return { kind: 'call', name: item.kind === 'matrix' ? 'det' : 'abs', args: [item] };
}
