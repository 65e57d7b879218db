import type { Node } from './node.ts';
import { readEvent } from './parse-event.ts';
import { readScripts } from './parse-script.ts';
import { fail, isOperator, type ParseState, peek } from './parse-state.ts';

/** Letters that are functions when a bracket follows them. */
const FUNCTION_LETTERS = new Set(['f', 'g', 'h', 'F', 'G', 'H', 'W']);

/** What belongs to a name when it follows: primes, scripts, brackets of arguments. */
const FOLLOWED = new Set(["'", '_', '^', '(', '[', '{']);

/** A variable with its subscript and primes, or an application such as `f(x)`, `E(X)`, `y(0)`. */
export function parseName(state: ParseState): Node {
  const token = peek(state);
  if (token === undefined) fail();
  state.at += 1;
  if (token.text === 'infty') return { kind: 'infinity' };
  if (token.text === 'd' && takesDifferential(state)) return { kind: 'multiply', items: [] };
  const next = peek(state);
  if (next?.type !== 'operator' || !FOLLOWED.has(next.text)) return { kind: 'symbol', name: token.text };
  const { name, primed, index } = readScripts(state, token.text);
  const inverse = FUNCTION_LETTERS.has(token.text) && isInverse(state);
  const suffix = inverse ? '^-1()' : '()';
  if (isBracedCall(state)) return apply(name + suffix, index, state.rules.argument(state));
  const event = readEvent(state, name);
  if (event !== null) return event;
  if (isOperator(peek(state), '(') && (inverse || primed || isApplication(state, token.text)))
    return apply(name + suffix, index, state.rules.bracketed(state, '('));
  return index.length === 0 ? { kind: 'symbol', name } : { kind: 'apply', name, args: index };
}

function apply(name: string, index: Node[], argument: Node): Node {
  return {
    kind: 'apply',
    name,
    args: [...index, ...(argument.kind === 'sequence' ? argument.items : [argument])],
  };
}

/** `f{\left(x\right)}`, as SymPy prints what is applied, whatever its name. */
function isBracedCall(state: ParseState): boolean {
  if (!isOperator(peek(state), '{') || !isOperator(peek(state, 1), '(')) return false;
  let depth = 0;
  for (let at = state.at + 1; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (isOperator(token, '(')) depth += 1;
    if (isOperator(token, ')')) depth -= 1;
    if (depth === 0) return isOperator(state.tokens[at + 1], '}');
  }
  return false;
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
function isApplication(state: ParseState, letter: string): boolean {
  if (FUNCTION_LETTERS.has(letter)) return true;
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
  return (
    before === undefined ||
    (before.type === 'operator' && /^(?:,|;|and|or|land|lor|gap|\{)$/.test(before.text))
  );
}
