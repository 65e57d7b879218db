import { childrenOf, type Node } from '../math/node.ts';
import { isBranching } from './branches.ts';
import type { Complex } from './complex.ts';
import { evaluate } from './evaluate.ts';
import { foldSquares } from './fold-squares.ts';
import { followLine, type Sightings } from './follow-line.ts';
import { freeSymbols, hasFreeNames } from './free-names.ts';
import { linesThrough } from './line.ts';
import { isRoot } from './range.ts';
import { POSITIVE_POINTS } from './sample-points.ts';
import { boundsOf, type Switch, signFactors, switchesOf } from './sign-factors.ts';
import { hidesSquare, isLogarithm, mayTouch } from './touches.ts';
import type { WorkBudget } from './work-budget.ts';

/** Expressions with more places to look for changes of sign in than this keep their spelling. */
const MAX_FACTORS = 40;

/**
 * A function that is not one smooth function everywhere: along fixed lines, the smooth functions that it follows one
 * after the other, each by its values at two fixed places to which it is continued.
 */
export interface Pieces {
  values: Array<Complex | null>;
  /** Where on each line one piece gives way to the next. */
  shape: string;
}

/**
 * What an expression is where its absolute values, maxima, minima, signs and roots of squares change their branches:
 * 'smooth' where none does, or where all branches agree; null where that cannot be told.
 */
export function followPieces(node: Node, budget: WorkBudget): Pieces | 'smooth' | null {
  if (!mayBranch(node)) return 'smooth';
  const folded = foldSquares(node, budget);
  const found: Switch[] = [];
  if (!collectSwitches(folded, [], found)) return null;
  const breaking = found.filter((entry) => entry.branching || hidesSquare(entry.node));
  if (breaking.length === 0) return 'smooth';
  if (found.reduce((sum, entry) => sum + 1 + entry.factors.length, 0) > MAX_FACTORS) return null;
  const names = [...new Set(breaking.flatMap((entry) => freeSymbols(entry.node)))].sort();
  // The domain of what breaks nowhere stays out of it.
  const switches = found.filter((entry) => freeSymbols(entry.node).some((name) => names.includes(name)));
  const others = freeSymbols(node).filter((name) => !names.includes(name));
  const lines = linesThrough(names, others);
  if (lines === null) return null;
  const sightings: Sightings = { seen: new Set(), unsure: new Set(), taken: new Map(), outside: false };
  const result: Pieces = { values: [], shape: '' };
  for (const [i, line] of lines.entries()) {
    const pieces = followLine(folded, switches, line, i >= names.length, sightings, budget);
    if (pieces === null) return null;
    result.values.push(...pieces.values);
    result.shape += `${pieces.breaks.join('|')};`;
  }
  if (budget.left <= 0) return null;
  // A change of sign that no line shows may be anywhere; along one line polynomials hide none.
  const { seen, unsure, taken } = sightings;
  for (const { node: own, factors, branching } of switches) {
    // It may also change between two parts of the domain.
    if (factors.length === 1 && (taken.get(own)?.size ?? 0) > 1) continue;
    for (const factor of factors)
      if (branching && !seen.has(factor) && (names.length > 1 || unsure.has(factor))) return null;
  }
  const smooth =
    !/[^;]/.test(result.shape) && (!sightings.outside || agrees(folded, breaking, taken, budget));
  return smooth ? 'smooth' : result;
}

/** Whether the sample points, which may lie outside of the domain, are on the branches that the expression has inside. */
function agrees(
  node: Node,
  breaking: readonly Switch[],
  inside: ReadonlyMap<Node, ReadonlySet<number>>,
  budget: WorkBudget,
): boolean {
  if (breaking.some((entry) => !entry.branching)) return false;
  const nodes = new Set<Node>(breaking.map((entry) => entry.node));
  return POSITIVE_POINTS.every((point) => {
    const taken = new Map<Node, number>();
    const flags = { branched: false, absorbed: false };
    evaluate(node, { point, bound: new Map(), budget, flags, branches: { nodes, taken, keep: false } });
    return [...taken].every(([own, branch]) => inside.get(own)?.has(branch) === true);
  });
}

/** Whether a function of the variables in the expression may have branches that `foldSquares` brings to sight. */
function mayBranch(node: Node): boolean {
  if (isBranching(node) || isRootOfMore(node)) return hasFreeNames(node) || mayBranchBelow(node);
  return mayBranchBelow(node);
}

function mayBranchBelow(node: Node): boolean {
  return childrenOf(node).some(mayBranch);
}

/** A root, fractional power or logarithm of what may be a square. */
function isRootOfMore(node: Node): boolean {
  if (node.kind === 'power') {
    const whole = node.exponent.kind === 'number' && node.exponent.value.den === 1n;
    return !whole && mayTouch(node.base);
  }
  return hidesSquare(node);
}

/** Collects inner nodes before outer ones; false where a sum or integral runs over a break. */
function collectSwitches(node: Node, bound: readonly string[], found: Switch[]): boolean {
  const inner = node.kind === 'binder' && node.name !== 'antiderivative' ? [...bound, node.variable] : bound;
  if (!childrenOf(node).every((child) => collectSwitches(child, inner, found))) return false;
  if ((node.kind !== 'call' && node.kind !== 'power') || !hasFreeNames(node, bound)) return true;
  const branching = isBranching(node);
  if (branching && bound.length > 0) return false;
  if (node.kind === 'call' && branching) {
    if (node.args.some(isComplex)) return node.name === 'abs';
    const switches = switchesOf(node);
    if (switches === null) return false;
    found.push({ node, factors: switches.flatMap(signFactors), branching });
  } else if (bound.length === 0) {
    const factors = boundsOf(node).flatMap(signFactors);
    if (factors.length > 0 || isRoot(node) || isLogarithm(node))
      found.push({ node, factors, branching: false });
  }
  return true;
}

/** The absolute value of a complex number is smooth. */
function isComplex(node: Node): boolean {
  return node.kind === 'symbol' ? node.name === 'i' : childrenOf(node).some(isComplex);
}
