import { type CallNode, type Node, numberNode, type PowerNode } from '../math/node.ts';
import { rangeOf } from './range.ts';

/** A node with branches or with a domain, and the expressions whose signs choose the branch or bound the domain. */
export interface Switch {
  node: CallNode | PowerNode;
  factors: Node[];
  branching: boolean;
}

/** Maxima of more arguments than this are not taken apart. */
const MAX_ARGUMENTS = 6;

/** The expressions whose change of sign makes a branching function change its branch; null for too many. */
export function switchesOf(node: CallNode): Node[] | null {
  if (node.name === 'abs' || node.name === 'sgn') return node.args.slice(0, 1);
  if (node.args.length > MAX_ARGUMENTS) return null;
  return node.args.flatMap((a, i) =>
    node.args.slice(i + 1).map((b): Node => ({ kind: 'add', items: [a, { kind: 'negate', item: b }] })),
  );
}

/** The expressions whose change of sign bounds the domain of a root, power, logarithm or inverse function. */
export function boundsOf(node: CallNode | PowerNode): Node[] {
  const first = node.kind === 'power' ? node.base : node.args[0];
  if (first === undefined) return [];
  if (node.kind === 'power') {
    const whole = node.exponent.kind === 'number' && node.exponent.value.den === 1n;
    return whole ? [] : [first];
  }
  if (/^(?:root|ln|log)$/.test(node.name)) return [first];
  if (!/^a(?:sin|cos|sec|csc|cosh|tanh)$/.test(node.name)) return [];
  return [1, -1].map((end): Node => ({ kind: 'add', items: [first, numberNode(end)] }));
}

/** The factors of an expression that can change its sign. */
export function signFactors(node: Node): Node[] {
  switch (node.kind) {
    case 'number':
    case 'infinity':
      return [];
    case 'multiply':
      return node.items.flatMap(signFactors);
    case 'divide':
      return [...signFactors(node.top), ...signFactors(node.bottom)];
    case 'negate':
    case 'unit':
    case 'percent':
      return signFactors(node.item);
    case 'sequence':
      return node.items.length === 1 && node.items[0] !== undefined ? signFactors(node.items[0]) : [node];
    case 'power':
      if (hasOneSign(node)) return [];
      return node.exponent.kind === 'number' && node.exponent.value.den === 1n
        ? signFactors(node.base)
        : [node];
    default:
      return hasOneSign(node) ? [] : [node];
  }
}

/** Whether the form of an expression shows that it has one sign where it is real. */
function hasOneSign(node: Node): boolean {
  const [low, high] = rangeOf(node);
  return low >= 0 || high <= 0;
}
