import type { Node } from './node.ts';
import { accept, fail, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';

/** Letters that are functions when a bracket follows them. */
const FUNCTION_LETTERS = new Set(['f', 'g', 'h', 'F', 'G', 'H', 'W']);

/** A variable with its subscript and primes, or an application such as `f(x)`, `E(X)`, `y(0)`. */
export function parseName(state: ParseState): Node {
  const token = peek(state);
  if (token === undefined) fail();
  state.at += 1;
  if (token.text === 'infty') return { kind: 'infinity' };
  if (token.text === 'd' && takesDifferential(state)) return { kind: 'multiply', items: [] };
  let name = token.text;
  let index: Node[] = [];
  for (;;) {
    if (isOperator(peek(state), "'")) {
      state.at += 1;
      name += "'";
    } else if (isOperator(peek(state), '_') && index.length === 0) {
      state.at += 1;
      const subscript = parseSubscript(state);
      if (typeof subscript === 'string') name += `_${subscript}`;
      else {
        name += '_';
        index = [subscript];
      }
    } else break;
  }
  const inverse = FUNCTION_LETTERS.has(token.text) && isInverse(state);
  if (inverse) name += '^-1';
  const braced =
    isOperator(peek(state), '{') && isOperator(peek(state, 1), '(') && FUNCTION_LETTERS.has(token.text);
  if (braced) {
    const argument = state.rules.argument(state);
    return {
      kind: 'apply',
      name: `${name}()`,
      args: [...index, ...(argument.kind === 'sequence' ? argument.items : [argument])],
    };
  }
  if (isOperator(peek(state), '(') && (inverse || isApplication(state, token.text, name))) {
    const args = state.rules.bracketed(state, '(');
    const list = args.kind === 'sequence' ? args.items : [args];
    return { kind: 'apply', name: `${name}()`, args: [...index, ...list] };
  }
  return index.length === 0 ? { kind: 'symbol', name } : { kind: 'apply', name, args: index };
}

/** Inside an integral `d x` names its variable and counts as the factor 1. */
function takesDifferential(state: ParseState): boolean {
  const next = peek(state);
  if (state.integral === null || next?.type !== 'name') return false;
  state.integral.variable = next.text;
  state.at += 1;
  return true;
}

/** `f^{-1}(x)` is the inverse function, not a power. */
function isInverse(state: ParseState): boolean {
  const shapes: ReadonlyArray<readonly string[]> = [
    ['^', '{', '-', '1', '}'],
    ['^', '-', '1'],
  ];
  for (const shape of shapes) {
    const matches = shape.every((text, i) => peek(state, i)?.text === text);
    if (matches && isOperator(peek(state, shape.length), '(')) {
      state.at += shape.length;
      return true;
    }
  }
  return false;
}

/**
 * Whether a bracket after a name holds its arguments. `f(x+1)` always does; a capital does before plain names and
 * numbers (`P(A)`); any letter does before a lone zero (`y(0)`), or where a definition follows (`p(x) = …`).
 */
function isApplication(state: ParseState, letter: string, name: string): boolean {
  if (FUNCTION_LETTERS.has(letter) || name.endsWith("'")) return true;
  let at = state.at + 1;
  let plain = true;
  for (; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token === undefined || isOperator(token, ')')) break;
    const simple = token.type === 'number' || token.type === 'name' || isOperator(token, ',');
    if (!simple) plain = false;
    if (!simple && !/^[+\-*|]$/.test(token.text)) return false;
  }
  if (at >= state.tokens.length || at === state.at + 1) return false;
  if (!plain) return false;
  const defines =
    isOperator(state.tokens[at + 1], '=') && (state.at < 2 || !isOperator(state.tokens[state.at - 2], '*'));
  const zero = at === state.at + 2 && state.tokens[state.at + 1]?.text === '0';
  return zero || /^[A-Z]/.test(letter) || (defines && isItemStart(state));
}

function isItemStart(state: ParseState): boolean {
  const before = state.tokens[state.at - 2];
  return before === undefined || (before.type === 'operator' && /^(?:,|;|and|or|gap|\{)$/.test(before.text));
}

/** A subscript of digits or words is part of the name; one with variables is an index that is evaluated. */
export function parseSubscript(state: ParseState): string | Node {
  const token = peek(state);
  if (token === undefined) fail();
  if (!accept(state, '{')) {
    if (token.type === 'command') fail();
    state.at += 1;
    return token.type === 'name' && !token.upright ? { kind: 'symbol', name: token.text } : token.text;
  }
  const start = state.at;
  let depth = 1;
  let plain = true;
  let at = start;
  for (; at < state.tokens.length; at += 1) {
    const inner = state.tokens[at];
    if (inner === undefined || isCommand(inner, 'unclosed')) fail();
    if (isOperator(inner, '{')) depth += 1;
    if (isOperator(inner, '}')) depth -= 1;
    if (depth === 0) break;
    if (inner.type === 'word' || inner.type === 'function' || inner.upright) plain = false;
    if (isOperator(inner, ',') || inner.type === 'command' || isOperator(inner, 'deg')) plain = false;
  }
  const inside = state.tokens.slice(start, at);
  const onlyNumber = inside.length === 1 && inside[0]?.type === 'number';
  if (!plain || onlyNumber || inside.length === 0) {
    state.at = at + 1;
    return inside.map((inner) => inner.text).join('');
  }
  const index = state.rules.sum(state);
  if (!accept(state, '}')) fail();
  return index;
}
