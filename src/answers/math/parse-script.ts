import type { Node } from './node.ts';
import { accept, fail, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';

/** A name with its scripts: primes come before the subscript, in whatever order they were written. */
export interface ScriptedName {
  name: string;
  primed: boolean;
  /** The subscript, where it is an index that is evaluated. */
  index: Node[];
}

/** Reads the primes and the subscript after a name, in either order. */
export function readScripts(state: ParseState, letter: string): ScriptedName {
  let primes = acceptPrimes(state);
  let subscript: string | Node | null = null;
  if (accept(state, '_')) {
    subscript = parseSubscript(state);
    primes += acceptPrimes(state);
  }
  return { ...joinSubscript(letter + primes, subscript), primed: primes !== '' };
}

/** The name under a subscript: `{g}_{k}` and `v^2_0`, whose subscript follows something else than the name. */
export function subscripted(state: ParseState, name: string): Node {
  const { name: joined, index } = joinSubscript(name, parseSubscript(state));
  return index.length === 0 ? { kind: 'symbol', name: joined } : { kind: 'apply', name: joined, args: index };
}

function joinSubscript(name: string, subscript: string | Node | null): { name: string; index: Node[] } {
  if (subscript === null) return { name, index: [] };
  return typeof subscript === 'string'
    ? { name: `${name}_${subscript}`, index: [] }
    : { name: `${name}_`, index: [subscript] };
}

/** Consumes `'`, `^\prime` and `^{\prime\prime}`, also one after another; gives one mark for each. */
function acceptPrimes(state: ParseState): string {
  let primes = '';
  for (;;) {
    const more = acceptRun(state);
    if (more === '') return primes;
    primes += more;
  }
}

function acceptRun(state: ParseState): string {
  if (peek(state)?.type !== 'operator') return '';
  const lead = isOperator(peek(state), '^') ? (isOperator(peek(state, 1), '{') ? 2 : 1) : 0;
  let count = 0;
  while (isOperator(peek(state, lead + count), "'")) count += 1;
  if (count === 0 || (lead === 2 && !isOperator(peek(state, lead + count), '}'))) return '';
  state.at += lead + count + (lead === 2 ? 1 : 0);
  return "'".repeat(count);
}

/** A subscript of digits or words is part of the name; one with variables is an index that is evaluated. */
export function parseSubscript(state: ParseState): string | Node {
  const token = peek(state);
  if (token === undefined) fail();
  if (!accept(state, '{')) {
    if (token.type === 'command') fail();
    state.at += 1;
    return token.type === 'name' ? { kind: 'symbol', name: token.text } : token.text;
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
  const [only] = inside;
  // One letter is an index, however it is set: `k_{\mathrm{B}}`.
  const letter = inside.length === 1 && only?.type === 'name';
  const onlyNumber = inside.length === 1 && only?.type === 'number';
  if ((!plain && !letter) || onlyNumber || inside.length === 0) {
    state.at = at + 1;
    return inside.map((inner) => inner.text).join('');
  }
  const index = state.rules.sum(state);
  if (!accept(state, '}')) fail();
  return index;
}
