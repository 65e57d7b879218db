import { inDegrees } from './degrees.ts';
import { multiplyNodes, type Node } from './node.ts';
import { startsFactor } from './parse-arithmetic-follow.ts';
import { accept, expect, fail, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';
import { labelNode, parseUnitTail } from './parse-unit.ts';
import type { Token } from './token.ts';

/** Terms joined by `+`, `-`, `±` and `∓`. A sign in front binds the whole product. */
export function parseSum(state: ParseState): Node {
  const terms = [parseTerm(state)];
  for (;;) {
    const token = peek(state);
    if (token?.type !== 'operator' || endsIntegral(state)) break;
    if (token.text === '+' && !endsSum(peek(state, 1))) state.at += 1;
    else if (token.text === '-' && isSet(terms[0])) break;
    else if (token.text !== '-' && token.text !== 'pm' && token.text !== 'mp') break;
    terms.push(parseTerm(state));
  }
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : { kind: 'add', items: terms };
}

/** After a set the minus sign is a set difference, which the item reads. */
function isSet(node: Node | undefined): boolean {
  return node?.kind === 'set' || node?.kind === 'setOperation';
}

function parseTerm(state: ParseState): Node {
  if (accept(state, '-')) return { kind: 'negate', item: parseTerm(state) };
  if (accept(state, '+')) return parseTerm(state);
  if (accept(state, 'pm')) return { kind: 'plusMinus', item: parseTerm(state), opposite: false };
  if (accept(state, 'mp')) return { kind: 'plusMinus', item: parseTerm(state), opposite: true };
  return parseProduct(state);
}

/** `R^+` and other trailing signs do not continue a sum. */
function endsSum(next: Token | undefined): boolean {
  return next === undefined || isOperator(next, '}') || isOperator(next, ')') || isOperator(next, ',');
}

/** After its differential an integral is over: `\int x\,dx + 3`. */
function endsIntegral(state: ParseState): boolean {
  return state.integral !== null && state.integral.variable !== null;
}

/** Factors joined by `*`, `/`, `mod` or juxtaposition, from the left. */
export function parseProduct(state: ParseState): Node {
  let left = state.rules.power(state);
  let factors: Node[] = [left];
  for (;;) {
    const token = peek(state);
    if (token === undefined) break;
    if (accept(state, '*')) {
      const right = parseSigned(state);
      const cross = state.text.startsWith('\\times', token.start) && isCross(factors.at(-1), right);
      if (cross) factors = [{ kind: 'apply', name: 'cross', args: [multiplyNodes(factors), right] }];
      else factors.push(right);
    } else if (accept(state, '/')) {
      left = multiplyNodes(factors);
      factors = [{ kind: 'divide', top: left, bottom: parseSigned(state) }];
    } else if (accept(state, 'mod')) {
      left = multiplyNodes(factors);
      factors = [{ kind: 'call', name: 'mod', args: [left, parseSigned(state)] }];
    } else if (isOperator(token, '(') && isOperator(peek(state, 1), 'mod')) {
      state.at += 2;
      left = multiplyNodes(factors);
      factors = [{ kind: 'apply', name: 'residue', args: [left, state.rules.sum(state)] }];
      expect(state, ')');
    } else if (accept(state, 'pmod')) {
      left = multiplyNodes(factors);
      factors = [{ kind: 'apply', name: 'residue', args: [left, state.rules.argument(state)] }];
    } else {
      const label = parseUnitTail(state, !factors.every(isVariable));
      if (label !== null) {
        // `2 m 30 cm` are two quantities.
        if (factors.some(isVariable) && factors.filter(isNumber).length > 1) fail();
        const item = multiplyNodes(factors);
        factors = [label.sense === 'unit' && isDegreeWord(token) ? inDegrees(item) : labelNode(item, label)];
      } else if (startsFactor(state, token)) {
        const next = state.rules.power(state);
        const bracketed = isOperator(token, '(') || isOperator(token, '[');
        const mixed = factors.length === 1 && !bracketed ? readMixed(factors[0], next, state) : null;
        if (mixed !== null) factors = [mixed];
        else factors.push(next);
      } else break;
    }
  }
  return multiplyNodes(factors);
}

/** Of vectors `×` and `·` are two products. */
function isCross(left: Node | undefined, right: Node): boolean {
  if (left?.kind !== 'symbol') return false;
  return left.name === 'nabla' || (isVector(left) && isVector(right));
}

function isVector(node: Node): boolean {
  return node.kind === 'symbol' && /^(?:vec|overrightarrow):/.test(node.name);
}

function isDegreeWord(token: Token): boolean {
  return /^(?:deg|degs|degrees?)$/i.test(token.text);
}

function isNumber(node: Node): boolean {
  return node.kind === 'number';
}

function isVariable(node: Node): boolean {
  return node.kind === 'symbol' && node.name !== 'pi';
}

function parseSigned(state: ParseState): Node {
  if (accept(state, '-')) return { kind: 'negate', item: parseSigned(state) };
  if (accept(state, '+')) return parseSigned(state);
  return state.rules.power(state);
}

/** `4\frac{1}{2}` and `4 1/2` are mixed numbers: an integer before a plain fraction. */
function readMixed(whole: Node | undefined, next: Node, state: ParseState): Node | null {
  if (whole?.kind !== 'number') return null;
  const integer = whole.value.den === 1n && whole.decimals === 0;
  if (next.kind === 'number') {
    const bottom = peek(state, 1);
    if (!integer || next.value.den !== 1n || !isOperator(peek(state), '/') || bottom?.type !== 'number')
      fail();
    if (/[.e]/.test(bottom.text)) fail();
    state.at += 2;
    const den = BigInt(bottom.text);
    if (den === 0n) fail();
    return mixed(whole, next.value.num, den);
  }
  if (!integer || next.kind !== 'divide' || isCommand(peek(state, -1), 'over')) return null;
  const { top, bottom } = next;
  if (top.kind !== 'number' || bottom.kind !== 'number') return null;
  if (top.value.den !== 1n || bottom.value.den !== 1n || bottom.value.num === 0n) return null;
  return mixed(whole, top.value.num, bottom.value.num);
}

function mixed(whole: Node, top: bigint, bottom: bigint): Node {
  const part: Node = {
    kind: 'divide',
    top: { kind: 'number', value: { num: top, den: 1n }, decimals: 0 },
    bottom: { kind: 'number', value: { num: bottom, den: 1n }, decimals: 0 },
  };
  return { kind: 'add', items: [whole, part] };
}
