import { angleArguments } from './degrees.ts';
import type { Node } from './node.ts';
import { startsFactor } from './parse-arithmetic-follow.ts';
import { readEvent } from './parse-event.ts';
import { accept, fail, isOperator, type ParseState, peek } from './parse-state.ts';

/** Functions whose power -1 is their inverse: `\sin^{-1} x`. */
const INVERSES: Readonly<Record<string, string>> = {
  sin: 'asin',
  cos: 'acos',
  tan: 'atan',
  cot: 'acot',
  sec: 'asec',
  csc: 'acsc',
  sinh: 'asinh',
  cosh: 'acosh',
  tanh: 'atanh',
};

/** `\sin x`, `\log_2 (x)`, `\cos^2 2x`, `max(a, b)`; without brackets the argument is what is juxtaposed. */
export function parseFunction(state: ParseState): Node {
  const name = peek(state)?.text ?? fail();
  state.at += 1;
  if (name === 'Var' || name === 'Pr')
    return readEvent(state, name) ?? { kind: 'call', name, args: readArguments(state) };
  let exponent: Node | null = null;
  let base: Node | null = null;
  for (;;) {
    if (isOperator(peek(state), '^') && exponent === null) {
      state.at += 1;
      exponent = readScript(state);
    } else if (isOperator(peek(state), '_') && base === null) {
      state.at += 1;
      base = readScript(state);
    } else break;
  }
  while (isOperator(peek(state), "'")) fail();
  const args = angleArguments(name, readArguments(state));
  const inverse = exponent !== null && isMinusOne(exponent) && Object.hasOwn(INVERSES, name);
  if (inverse) return { kind: 'call', name: INVERSES[name] ?? name, args };
  const call = buildCall(name, args, base);
  return exponent === null ? call : { kind: 'power', base: call, exponent };
}

function buildCall(name: string, args: Node[], base: Node | null): Node {
  if (name === 'sqrt') return { kind: 'call', name: 'root', args: [args[0] ?? fail(), two()] };
  if (name === 'cbrt')
    return {
      kind: 'call',
      name: 'root',
      args: [args[0] ?? fail(), { ...two(), value: { num: 3n, den: 1n } }],
    };
  if (name === 'log') return { kind: 'call', name: 'log', args: base === null ? args : [...args, base] };
  if (base !== null) return { kind: 'apply', name: `${name}_`, args: [base, ...args] };
  return { kind: 'call', name, args };
}

function two(): Node & { kind: 'number' } {
  return { kind: 'number', value: { num: 2n, den: 1n }, decimals: 0 };
}

function readScript(state: ParseState): Node {
  if (accept(state, '-')) return { kind: 'negate', item: readScript(state) };
  return state.rules.argument(state);
}

function isMinusOne(node: Node): boolean {
  return (
    node.kind === 'negate' &&
    node.item.kind === 'number' &&
    node.item.value.num === 1n &&
    node.item.value.den === 1n
  );
}

function readArguments(state: ParseState): Node[] {
  if (isOperator(peek(state), '(') || isOperator(peek(state), '[')) {
    return listed(state.rules.bracketed(state, peek(state)?.text ?? '('));
  }
  if (isOperator(peek(state), '{')) return listed(state.rules.argument(state));
  return [readJuxtaposed(state)];
}

function listed(node: Node): Node[] {
  return node.kind === 'sequence' ? node.items : [node];
}

function readJuxtaposed(state: ParseState): Node {
  if (accept(state, '-')) return { kind: 'negate', item: readJuxtaposed(state) };
  const factors: Node[] = [state.rules.power(state)];
  for (;;) {
    const token = peek(state);
    if (token === undefined || token.type === 'function' || !startsFactor(state, token)) break;
    if (isOperator(token, '(') || isOperator(token, '[') || isOperator(token, '{')) break;
    if (token.type === 'number' || token.type === 'command') {
      if (token.type === 'number' || !/^(?:frac|sqrt)$/.test(token.text)) break;
    }
    if (token.type === 'operator') break;
    if (token.text === 'd' && state.integral !== null) break;
    factors.push(state.rules.power(state));
  }
  const [only] = factors;
  return factors.length === 1 && only !== undefined ? only : { kind: 'multiply', items: factors };
}
