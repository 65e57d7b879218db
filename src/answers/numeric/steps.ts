import { type CallNode, childrenOf, type Node, numberNode } from '../math/node.ts';
import {
  addRational,
  compareRational,
  fromInteger,
  multiplyRational,
  negateRational,
  type Rational,
} from '../math/rational.ts';
import { isBranching, isStepping } from './branches.ts';
import type { Complex } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { evaluate } from './evaluate.ts';
import { evaluateExact } from './evaluate-exact.ts';
import { freeSymbols, hasFreeNames } from './free-names.ts';
import type { Pieces } from './piecewise.ts';
import { isIntegerName, STEP_POINTS } from './sample-points.ts';
import { signFactors, switchesOf } from './sign-factors.ts';
import type { WorkBudget } from './work-budget.ts';

/** Whole numbers that show whether an expression is affine, by the place of the variable. */
const CHECKS: ReadonlyArray<(i: number) => number> = [(i) => 7 + 3 * i, (i) => -19 + 8 * i * i];
/** Whole numbers up to this many in a row are among the sample points. */
const FULL_PERIOD = 24;
/** Points at which the arguments of the steps are named; their variables are neither small nor whole. */
const NAMING_POINTS = STEP_POINTS.slice(-2);

/** The shape of steps that the sample points all meet. */
export const ALL_STEPS_MET = 'steps ';

/** Whether any part of an expression has steps. */
export function hasSteps(node: Node): boolean {
  return (isStepping(node) && hasFreeNames(node)) || childrenOf(node).some(hasSteps);
}

/**
 * A function with floors, ceilings or remainders, by its values at whole, large and other numbers. Where those need not
 * meet every step, the shape names what the steps are taken of, up to whole numbers. Null where that cannot be told.
 */
export function sampleSteps(node: Node, budget: WorkBudget): Pieces | null {
  const steps: CallNode[] = [];
  const switches: CallNode[] = [];
  collect(node, steps, switches);
  const nodes = new Set<Node>(switches);
  const seen = new Map<Node, Set<number>>(switches.map((own) => [own, new Set()]));
  const values: Array<Complex | null> = [];
  for (const point of STEP_POINTS) {
    const taken = new Map<Node, number>();
    const flags = { branched: false, absorbed: false };
    const branches = { nodes, taken, keep: false };
    const value = evaluate(node, { point, bound: new Map(), budget, flags, branches });
    const known = describeValue(value) !== null && !flags.branched && !flags.absorbed;
    values.push(known ? value : null);
    for (const [own, branch] of taken) seen.get(own)?.add(branch);
  }
  if (values.filter((value) => value !== null).length < values.length / 2 || budget.left <= 0) return null;
  for (const own of switches) {
    const factors = switchesOf(own);
    if (factors === null || (factors.flatMap(signFactors).length > 0 && (seen.get(own)?.size ?? 0) < 2))
      return null;
  }
  const names = new Set<string>();
  for (const step of steps) {
    const name = nameStep(step, budget);
    if (name === null) return null;
    names.add(name);
  }
  names.delete('');
  return { values, shape: ALL_STEPS_MET + [...names].sort().join('|') };
}

function collect(node: Node, steps: CallNode[], switches: CallNode[]): void {
  if (isStepping(node) && hasFreeNames(node)) steps.push(node);
  if (isBranching(node) && hasFreeNames(node)) switches.push(node);
  for (const child of childrenOf(node)) collect(child, steps, switches);
}

/** '' where the sample points meet every step; else the argument's fractional parts at two of them; null where it has none. */
function nameStep(step: CallNode, budget: WorkBudget): string | null {
  const [first, second] = step.args;
  if (first === undefined || step.name === 'gcd' || step.name === 'lcm') return '';
  const argument: Node = second === undefined ? first : { kind: 'divide', top: first, bottom: second };
  const affine = readAffine(argument, budget);
  if (affine !== null && affine.period <= FULL_PERIOD) return '';
  const parts: string[] = [];
  for (const point of NAMING_POINTS) {
    const flags = { branched: false, absorbed: false };
    const value = evaluate(floored(step.name, argument, affine), { point, bound: new Map(), budget, flags });
    if (value.im !== null || !Number.isFinite(value.re.high)) return null;
    const part = value.re.high - Math.floor(value.re.high) + value.re.low;
    parts.push((Math.round(part * 1e8) % 1e8).toString());
  }
  return parts.join(',');
}

/** What stands in the floor that a step is: ⌈u⌉ = -⌊-u⌋, and of whole numbers ⌈a/q⌉ = ⌊(a+q-1)/q⌋. */
function floored(name: string, argument: Node, affine: Affine | null): Node {
  if (name !== 'ceil') return argument;
  if (affine === null || BigInt(affine.period) % affine.constant.den !== 0n)
    return { kind: 'negate', item: argument };
  const period = BigInt(affine.period);
  const rest: Node = { kind: 'divide', top: numberNode(period - 1n), bottom: numberNode(period) };
  return { kind: 'add', items: [argument, rest] };
}

/** What is affine over whole numbers: after `period` steps of any variable it has grown by a whole number. */
interface Affine {
  period: number;
  constant: Rational;
}

function readAffine(node: Node, budget: WorkBudget): Affine | null {
  const names = freeSymbols(node);
  if (!names.every(isIntegerName)) return null;
  const at = (values: (i: number) => number): Rational | null =>
    evaluateExact(node, budget, new Map(names.map((name, i) => [name, fromInteger(values(i))])));
  const constant = at(() => 0);
  if (constant === null) return null;
  let period = 1n;
  const predicted: Rational[] = [constant, constant];
  for (const own of names.keys()) {
    const value = at((i) => (i === own ? 1 : 0));
    const slope = value === null ? null : addRational(value, negateRational(constant));
    if (slope === null) return null;
    period *= slope.den;
    for (const [k, sum] of predicted.entries()) {
      const term = multiplyRational(slope, fromInteger(CHECKS[k]?.(own) ?? 0));
      const next = term === null ? null : addRational(sum, term);
      if (next === null) return null;
      predicted[k] = next;
    }
  }
  const affine = CHECKS.every((check, k) => {
    const value = at(check);
    const wanted = predicted[k];
    return value !== null && wanted !== undefined && compareRational(value, wanted) === 0;
  });
  return affine && period < 1_000_000_000_000n ? { period: Number(period), constant } : null;
}
