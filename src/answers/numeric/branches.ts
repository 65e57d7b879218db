import { type CallNode, childrenOf, type Node } from '../math/node.ts';
import { type Complex, NOT_A_NUMBER, negateComplex, real } from './complex.ts';
import { fromNumber } from './double-double.ts';

/**
 * The branches that absolute values, maxima, minima, signs and roots of squares take: noted while an expression is
 * evaluated, or kept from an earlier place, so that what is smooth there can be continued to any other. A branch is a
 * sign, or the place of an argument.
 */
export interface Branches {
  /** The nodes whose branches count; others are evaluated as ever. */
  readonly nodes: ReadonlySet<Node>;
  readonly taken: Map<Node, number>;
  readonly keep: boolean;
}

const BRANCHING = new Set(['abs', 'sgn', 'max', 'min']);
const STEPPING = new Set(['floor', 'ceil', 'mod', 'gcd', 'lcm']);

export function isBranching(node: Node): node is CallNode {
  return node.kind === 'call' && BRANCHING.has(node.name);
}

export function isStepping(node: Node): node is CallNode {
  return node.kind === 'call' && STEPPING.has(node.name);
}

/** Whether any part of an expression is not smooth. */
export function hasBreaks(node: Node): boolean {
  return isBranching(node) || isStepping(node) || childrenOf(node).some(hasBreaks);
}

/** The value of one of the nodes on its branch; NaN where it has none. */
export function evaluateBranching(node: CallNode, args: Complex[], branches: Branches): Complex {
  const [first = NOT_A_NUMBER] = args;
  const signed = node.name === 'abs' || node.name === 'sgn';
  if (!branches.keep) {
    if (args.some((value) => value.im !== null)) return NOT_A_NUMBER;
    const branch = signed ? (first.re.high < 0 ? -1 : 1) : bestOf(args, node.name === 'max' ? 1 : -1);
    branches.taken.set(node, branch);
  }
  const branch = branches.taken.get(node);
  if (branch === undefined) return NOT_A_NUMBER;
  if (!signed) return args[branch] ?? NOT_A_NUMBER;
  if (node.name === 'sgn') return real(fromNumber(branch), 0);
  return branch < 0 ? negateComplex(first) : first;
}

function bestOf(args: Complex[], sign: number): number {
  let best = 0;
  for (const [i, value] of args.entries()) {
    if (sign * (value.re.high - (args[best]?.re.high ?? 0)) > 0) best = i;
  }
  return best;
}
