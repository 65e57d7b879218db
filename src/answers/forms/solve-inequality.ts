import {
  type CallNode,
  childrenOf,
  type Node,
  numberNode,
  type RelationNode,
  withChildren,
} from '../math/node.ts';
import { freeSymbols, hasFreeNames } from '../numeric/free-names.ts';
import { evaluateScalar, type Scalar } from '../numeric/scalar.ts';
import { compareReal, realValue } from './compare-scalars.ts';
import { isNameLike, nameOf } from './name-like.ts';
import { intersection, type RealSet, ray, union } from './real-set.ts';
import { substitute } from './substitute.ts';

export const ORDER_OPERATORS = new Set(['<', '>', 'le', 'ge', 'ne']);

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '>': '<', le: 'ge', ge: 'le', ne: 'ne' };
const ZERO = numberNode(0);
/** No letter of an answer. */
const PLACEHOLDER = '|·|';

export interface Solution {
  variable: string;
  set: RealSet;
}

/** The real set that a chain of inequalities in one unknown describes, where it is affine or the |·| of that. */
export function solveInequalities(node: RelationNode): Solution | null {
  let result: Solution | null = null;
  for (const [i, operator] of node.operators.entries()) {
    const left = node.parts[i];
    const right = node.parts[i + 1];
    if (left === undefined || right === undefined || !ORDER_OPERATORS.has(operator)) return null;
    const solution = solvePair(left, operator, right);
    if (solution === null || (result !== null && result.variable !== solution.variable)) return null;
    result = result === null ? solution : { ...solution, set: intersection(result.set, solution.set) };
  }
  return result;
}

function solvePair(left: Node, operator: string, right: Node): Solution | null {
  const leftFree = hasFreeNames(left);
  const rightFree = hasFreeNames(right);
  if (leftFree && !rightFree) return solveFor(left, operator, right);
  if (!leftFree && rightFree) return solveFor(right, FLIPPED[operator] ?? operator, left);
  if (!leftFree) return null;
  return solveAffine({ kind: 'add', items: [left, { kind: 'negate', item: right }] }, operator);
}

function solveFor(side: Node, operator: string, bound: Node): Solution | null {
  const limit = evaluateScalar(bound);
  if (limit === null || realValue(limit) === null) return null;
  const absolute = absoluteIn(side);
  if (absolute !== null) return solveScaledAbsolute(side, absolute, operator, bound, limit);
  if (isNameLike(side)) return { variable: nameOf(side), set: ray(operator, limit) };
  return solveAffine({ kind: 'add', items: [side, { kind: 'negate', item: bound }] }, operator);
}

/** The only absolute value in an expression that has no unknown outside of it; null for any other. */
function absoluteIn(side: Node): CallNode | null {
  if (side.kind === 'call' && side.name === 'abs') return side;
  const open = childrenOf(side).filter((child) => hasFreeNames(child));
  const [only] = open;
  return only === undefined || open.length > 1 ? null : absoluteIn(only);
}

/** `2|x-3|+1 < 5`: first for the absolute value, then for what stands in it. */
function solveScaledAbsolute(
  side: Node,
  absolute: CallNode,
  operator: string,
  bound: Node,
  limit: Scalar,
): Solution | null {
  const [inside] = absolute.args;
  if (inside === undefined) return null;
  if (side === absolute) return solveAbsolute(inside, operator, bound, limit);
  const affine = readAffine({
    kind: 'add',
    items: [exchange(side, absolute), { kind: 'negate', item: bound }],
  });
  const size = affine === null ? null : evaluateScalar(affine.root);
  if (affine === null || size === null) return null;
  const turned = affine.rising ? operator : (FLIPPED[operator] ?? operator);
  return solveAbsolute(inside, turned, affine.root, size);
}

function exchange(node: Node, part: Node): Node {
  if (node === part) return { kind: 'symbol', name: PLACEHOLDER };
  const children = childrenOf(node);
  return children.length === 0
    ? node
    : withChildren(
        node,
        children.map((child) => exchange(child, part)),
      );
}

function solveAbsolute(inside: Node, operator: string, bound: Node, limit: Scalar): Solution | null {
  if ((realValue(limit) ?? -1) < 0) return null;
  const upper = solveFor(inside, operator, bound);
  const lower = solveFor(inside, FLIPPED[operator] ?? operator, { kind: 'negate', item: bound });
  if (upper === null || lower === null) return null;
  const within = operator === '<' || operator === 'le' || operator === 'ne';
  return { variable: upper.variable, set: (within ? intersection : union)(upper.set, lower.set) };
}

/** `expression operator 0` for an expression that is affine in its only variable. */
function solveAffine(expression: Node, operator: string): Solution | null {
  const affine = readAffine(expression);
  const root = affine === null ? null : evaluateScalar(affine.root);
  if (affine === null || root === null || realValue(root) === null) return null;
  const turned = affine.rising ? operator : (FLIPPED[operator] ?? operator);
  return { variable: affine.variable, set: ray(turned, root) };
}

/** Where an expression that is affine in its only variable is zero, and whether it rises; null for any other. */
function readAffine(expression: Node): { variable: string; root: Node; rising: boolean } | null {
  const [variable, ...others] = freeSymbols(expression);
  // A few values do not show that a function such as a floor, a maximum or a sine is affine.
  if (variable === undefined || others.length > 0 || hasCall(expression)) return null;
  const at = (value: number): Node => substitute(expression, variable, numberNode(value));
  const slope: Node = { kind: 'add', items: [at(1), { kind: 'negate', item: at(0) }] };
  const rise = evaluateScalar(slope);
  const direction = rise === null ? null : realValue(rise);
  if (rise === null || direction === null || direction === 0) return null;
  for (const step of [2, 5]) {
    const predicted: Node = {
      kind: 'add',
      items: [
        at(step),
        { kind: 'negate', item: at(0) },
        { kind: 'multiply', items: [numberNode(-step), slope] },
      ],
    };
    const rest = evaluateScalar(predicted);
    if (rest === null || compareReal(rest, { kind: 'exact', value: ZERO.value }) !== 0) return null;
  }
  const root: Node = { kind: 'negate', item: { kind: 'divide', top: at(0), bottom: slope } };
  return { variable, root, rising: direction > 0 };
}

function hasCall(node: Node): boolean {
  return (
    ((node.kind === 'call' || node.kind === 'apply' || node.kind === 'binder') && hasFreeNames(node)) ||
    childrenOf(node).some(hasCall)
  );
}
