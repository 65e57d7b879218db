import { childrenOf, multiplyNodes, type Node, numberNode, withChildren } from '../math/node.ts';
import { gcd } from '../math/rational.ts';
import { evaluateExact } from './evaluate-exact.ts';
import { hasFreeNames } from './free-names.ts';
import type { WorkBudget } from './work-budget.ts';

/**
 * The same expression with its hidden absolute values in sight: even roots of even powers, fractional powers as roots,
 * logarithms of even powers.
 */
export function foldSquares(node: Node, budget: WorkBudget): Node {
  const children = childrenOf(node);
  if (children.length === 0) return node;
  const inner = withChildren(
    node,
    children.map((child) => foldSquares(child, budget)),
  );
  if (inner.kind === 'power') return foldPower(inner.base, inner.exponent, budget) ?? inner;
  if (inner.kind !== 'call') return inner;
  const [first, second] = inner.args;
  if (first === undefined) return inner;
  if (inner.name === 'root' && second?.kind === 'number' && second.value.den === 1n)
    return foldRoot(first, second.value.num) ?? inner;
  if (inner.name !== 'ln' && inner.name !== 'log') return inner;
  const exponent = evenExponent(first);
  if (exponent === null) return inner;
  const logarithm: Node = { ...inner, args: [absolute(exponent.base), ...inner.args.slice(1)] };
  return { kind: 'multiply', items: [numberNode(exponent.power), logarithm] };
}

/** `u^{p/q}` for an even q is a power of the q-th root. */
function foldPower(base: Node, exponent: Node, budget: WorkBudget): Node | null {
  if (exponent.kind === 'number' && exponent.value.den === 1n) return null;
  if (!hasFreeNames(base) || hasFreeNames(exponent)) return null;
  const value = evaluateExact(exponent, budget);
  if (value === null || value.den % 2n !== 0n) return null;
  const root = foldRoot(base, value.den) ?? rootOf(base, value.den);
  return value.num === 1n ? root : { kind: 'power', base: root, exponent: numberNode(value.num) };
}

/** The even powers under an even root, taken out of it; null where there are none. */
function foldRoot(radicand: Node, degree: bigint): Node | null {
  if (degree % 2n !== 0n || degree <= 0n) return null;
  if (radicand.kind === 'multiply' && evenExponent(radicand) === null) {
    const folded = radicand.items.map((item) => foldRoot(item, degree));
    const rest = radicand.items.filter((_, i) => folded[i] === null);
    const out = folded.filter((item) => item !== null);
    if (out.length === 0) return null;
    return multiplyNodes(rest.length === 0 ? out : [...out, rootOf(multiplyNodes(rest), degree)]);
  }
  if (radicand.kind === 'divide') {
    const [top, bottom] = [foldRoot(radicand.top, degree), foldRoot(radicand.bottom, degree)];
    if (top === null && bottom === null) return null;
    return {
      kind: 'divide',
      top: top ?? rootOf(radicand.top, degree),
      bottom: bottom ?? rootOf(radicand.bottom, degree),
    };
  }
  const exponent = evenExponent(radicand);
  if (exponent === null) return null;
  const common = gcd(exponent.power, degree);
  const power = exponent.power / common;
  const size = power % 2n === 0n ? exponent.base : absolute(exponent.base);
  const root = degree === common ? size : rootOf(absolute(exponent.base), degree / common);
  return power === 1n ? root : { kind: 'power', base: root, exponent: numberNode(power) };
}

function evenExponent(node: Node): { base: Node; power: bigint } | null {
  if (node.kind === 'sequence' && node.items.length === 1 && node.items[0] !== undefined)
    return evenExponent(node.items[0]);
  if (node.kind === 'multiply' && node.items.length === 2) {
    const [a, b] = node.items;
    return a && b && hasFreeNames(a) && sameTree(a, b) ? { base: a, power: 2n } : null;
  }
  if (node.kind !== 'power' || node.exponent.kind !== 'number' || !hasFreeNames(node.base)) return null;
  const { num, den } = node.exponent.value;
  return den === 1n && num % 2n === 0n && num > 0n ? { base: node.base, power: num } : null;
}

function rootOf(radicand: Node, degree: bigint): Node {
  return { kind: 'call', name: 'root', args: [radicand, numberNode(degree)] };
}

function absolute(item: Node): Node {
  return { kind: 'call', name: 'abs', args: [item] };
}

function sameTree(a: Node, b: Node): boolean {
  return describeTree(a) === describeTree(b);
}

function describeTree(node: Node): string {
  return JSON.stringify(node, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
