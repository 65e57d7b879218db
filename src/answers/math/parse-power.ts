import { inDegrees } from './degrees.ts';
import type { Node } from './node.ts';
import { numberWord } from './number-words.ts';
import { startsFactor } from './parse-arithmetic-follow.ts';
import { parsePrimary } from './parse-primary.ts';
import { subscripted } from './parse-script.ts';
import { accept, expect, fail, isCommand, isOperator, nested, type ParseState, peek } from './parse-state.ts';

/** A primary with its exponents, subscripts, primes, factorials, degree and percent signs. */
export function parsePower(state: ParseState): Node {
  return nested(state, () => {
    let node = parsePrimary(state);
    for (;;) {
      if (accept(state, '^')) node = parseExponent(state, node);
      else if (accept(state, '_')) node = parseLowered(state, node);
      else if (accept(state, '!'))
        node = { kind: 'call', name: accept(state, '!') ? 'doubleFactorial' : 'factorial', args: [node] };
      else if (accept(state, '%')) node = { kind: 'percent', item: node };
      else if (isDegree(state, node) && accept(state, 'deg')) node = degrees(state, node);
      else if (isOperator(peek(state), "'") && node.kind === 'symbol') {
        state.at += 1;
        node = { kind: 'symbol', name: node.name.replace(/_|$/, "'$&") };
      } else return node;
    }
  });
}

/** `90\circ` is an angle, `f \circ g` a composition. */
function isDegree(state: ParseState, node: Node): boolean {
  const after = peek(state, 1);
  return node.kind === 'number' || after === undefined || !startsFactor(state, after);
}

function parseExponent(state: ParseState, base: Node): Node {
  if (accept(state, 'deg')) return degrees(state, base);
  if (isOperator(peek(state), '{') && isOperator(peek(state, 1), 'deg')) {
    state.at += 2;
    const scale = acceptScale(state);
    expect(state, '}');
    return scale ? { kind: 'unit', item: base } : degrees(state, base);
  }
  const plus = isOperator(peek(state), '+')
    ? 1
    : isOperator(peek(state), '{') && isOperator(peek(state, 1), '+')
      ? 3
      : 0;
  if (plus > 0 && base.kind === 'set') {
    state.at += plus;
    return { kind: 'set', name: `${base.name}+` };
  }
  if (base.kind === 'matrix' && isTranspose(state)) return { kind: 'call', name: 'transpose', args: [base] };
  return { kind: 'power', base, exponent: parseExponentValue(state) };
}

function parseExponentValue(state: ParseState): Node {
  if (accept(state, '-')) return { kind: 'negate', item: parseExponentValue(state) };
  if (accept(state, '+')) return parseExponentValue(state);
  const base = isOperator(peek(state), '{') ? state.rules.argument(state) : parsePrimary(state);
  return accept(state, '^') ? { kind: 'power', base, exponent: parseExponentValue(state) } : base;
}

function isTranspose(state: ParseState): boolean {
  const braced = isOperator(peek(state), '{');
  const letter = peek(state, braced ? 1 : 0);
  if (letter?.type !== 'name' || !/^[Tt]$/.test(letter.text)) return false;
  state.at += braced ? 3 : 1;
  return true;
}

/** Takes the sign and a scale letter: `32^\circ \mathrm{F}`. */
function degrees(state: ParseState, item: Node): Node {
  return acceptScale(state) ? { kind: 'unit', item } : inDegrees(item);
}

function acceptScale(state: ParseState): boolean {
  const scale = peek(state);
  const found = scale?.type === 'name' && /^[CFK]$/.test(scale.text);
  if (found) state.at += 1;
  return found;
}

/** A subscript that does not follow its name at once: `{g}_{k}`, `v^2_0`; after a number it is a base. */
function parseLowered(state: ParseState, node: Node): Node {
  const base = node.kind === 'power' ? node.base : node;
  if (base.kind !== 'symbol' || base.name.includes('_')) return parseBase(state, node);
  const named = subscripted(state, base.name);
  return node.kind === 'power' ? { ...node, base: named } : named;
}

/** `52_8` and `(52)_{\text{eight}}`: the digits keep their base. */
function parseBase(state: ParseState, node: Node): Node {
  if (node.kind !== 'number' || node.value.den !== 1n || node.decimals !== 0) fail();
  const braced = accept(state, '{');
  const wrapped = braced && accept(state, '(');
  const token = peek(state);
  const base =
    token?.type === 'number' ? Number(token.text) : token === undefined ? null : numberWord(token.text);
  if (base === null || !Number.isInteger(base) || base < 2 || base > 36) fail();
  state.at += 1;
  if (wrapped) expect(state, ')');
  if (braced) expect(state, '}');
  if (isCommand(peek(state), 'unclosed')) fail();
  return { kind: 'based', digits: node.value.num.toString(), base: String(base) };
}
