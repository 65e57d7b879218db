import type { Node } from './node.ts';
import { parseNumberLiteral } from './number-literal.ts';
import { startsFactor } from './parse-arithmetic-follow.ts';
import { parseEnvironment } from './parse-environment.ts';
import { readEvent } from './parse-event.ts';
import { parseSubscript } from './parse-script.ts';
import { accept, expect, fail, isOperator, nested, type ParseState, peek } from './parse-state.ts';
import { endsOperand } from './token.ts';

/** What a structural command starts: fractions, roots, matrices, sums, decorated names, number sets. */
export function parseCommand(state: ParseState): Node {
  const command = peek(state)?.text ?? fail();
  state.at += 1;
  switch (command) {
    case 'frac':
      return nested(state, () => ({
        kind: 'divide',
        top: state.rules.argument(state),
        bottom: state.rules.argument(state),
      }));
    case 'binom':
      return nested(state, () => ({
        kind: 'call',
        name: 'binomial',
        args: [state.rules.argument(state), state.rules.argument(state)],
      }));
    case 'sqrt':
      return nested(state, () => parseRoot(state));
    case 'sum':
    case 'prod':
      return nested(state, () => parseSumOrProduct(state, command));
    case 'lim':
      return nested(state, () => parseLimit(state));
    case 'int':
      return nested(state, () => parseIntegral(state));
    case 'emptyset':
      return { kind: 'set', name: '∅' };
  }
  if (command.startsWith('set:')) {
    return readEvent(state, command.slice(4)) ?? { kind: 'set', name: command.slice(4) };
  }
  if (command.startsWith('deco:')) return parseDecorated(state, command.slice(5));
  if (command.startsWith('begin:')) return nested(state, () => parseEnvironment(state, command.slice(6)));
  if (/^(?:unclosed|not|mathbb|choose|over|end:.*)$/.test(command)) fail();
  // A command that nobody knows may be an operator: it is a name only where no operand stands beside it.
  const before = peek(state, -2);
  const after = peek(state);
  if ((before !== undefined && endsOperand(before)) || (after !== undefined && startsFactor(state, after)))
    fail();
  return { kind: 'symbol', name: `\\${command}` };
}

function parseRoot(state: ParseState): Node {
  let degree: Node = { kind: 'number', value: { num: 2n, den: 1n }, decimals: 0 };
  if (accept(state, '[')) {
    degree = state.rules.sum(state);
    expect(state, ']');
  }
  const wide = peek(state)?.type === 'number' || isOperator(peek(state), '(');
  const radicand = wide ? parseWideRadicand(state) : state.rules.argument(state);
  return { kind: 'call', name: 'root', args: [radicand, degree] };
}

/** `\sqrt10` and `√(x+1)` take the whole number or bracket, as their authors mean them. */
function parseWideRadicand(state: ParseState): Node {
  if (isOperator(peek(state), '(')) return state.rules.bracketed(state, '(');
  const token = peek(state);
  const literal = token === undefined ? null : parseNumberLiteral(token.text);
  if (literal === null) fail();
  state.at += 1;
  return { kind: 'number', ...literal };
}

interface Bounds {
  variable: string;
  lower: Node | null;
  upper: Node | null;
}

function parseBounds(state: ParseState, separators: readonly string[]): Bounds {
  const bounds: Bounds = { variable: '', lower: null, upper: null };
  for (let i = 0; i < 2; i += 1) {
    if (accept(state, '^')) bounds.upper = state.rules.argument(state);
    else if (accept(state, '_')) parseLower(state, bounds, separators);
  }
  return bounds;
}

function parseLower(state: ParseState, bounds: Bounds, separators: readonly string[]): void {
  const variable = peek(state, 1);
  const separator = peek(state, 2);
  const bound = isOperator(peek(state), '{') && variable?.type === 'name' && separator !== undefined;
  if (bound && separators.includes(separator.text)) {
    state.at += 3;
    bounds.variable = variable.text;
    bounds.lower = separator.text === 'in' ? state.rules.item(state) : state.rules.sum(state);
    while (isOperator(peek(state), '^') || isOperator(peek(state), '+') || isOperator(peek(state), '-'))
      state.at += 1;
    expect(state, '}');
    return;
  }
  bounds.lower = state.rules.argument(state);
  if (bounds.lower.kind === 'symbol') bounds.variable = bounds.lower.name;
}

function parseSumOrProduct(state: ParseState, name: string): Node {
  const bounds = parseBounds(state, ['=', 'in']);
  return { kind: 'binder', name, ...bounds, body: state.rules.product(state) };
}

function parseLimit(state: ParseState): Node {
  const bounds = parseBounds(state, ['to']);
  return { kind: 'binder', name: 'lim', ...bounds, body: state.rules.product(state) };
}

function parseIntegral(state: ParseState): Node {
  const bounds = parseBounds(state, []);
  const outer = state.integral;
  const integral: { variable: string | null } = { variable: null };
  state.integral = integral;
  const body = state.rules.sum(state);
  state.integral = outer;
  if (integral.variable === null) fail();
  return {
    kind: 'binder',
    name: bounds.lower === null ? 'antiderivative' : 'int',
    ...bounds,
    variable: integral.variable,
    body,
  };
}

/** `\bar{x}`, `\vec{v}`, `\overline{AB}` are names of their own; over a plain number a decoration says nothing. */
function parseDecorated(state: ParseState, decoration: string): Node {
  if (isOperator(peek(state), '{') && peek(state, 1)?.type === 'number' && isOperator(peek(state, 2), '}')) {
    return state.rules.argument(state);
  }
  const inside = parseSubscript(state);
  if (typeof inside === 'string') return { kind: 'symbol', name: `${decoration}:${inside}` };
  const letter = inside.kind === 'symbol' ? inside.name : null;
  if (letter !== null) return { kind: 'symbol', name: `${decoration}:${letter}` };
  return { kind: 'apply', name: decoration, args: [inside] };
}
