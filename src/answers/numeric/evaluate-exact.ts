import type { BinderNode, CallNode, Node } from '../math/node.ts';
import {
  addRational,
  compareRational,
  costOf,
  divideRational,
  floorRational,
  fromInteger,
  multiplyRational,
  negateRational,
  ONE,
  type Rational,
  ZERO,
} from '../math/rational.ts';
import {
  exactBinomial,
  exactFactorial,
  exactGcd,
  exactLcm,
  exactPower,
  exactRoot,
} from './exact-functions.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/** Values of bound variables, such as a sum's index. */
export type ExactBindings = ReadonlyMap<string, Rational>;

const NO_BINDINGS: ExactBindings = new Map();

/** The exact rational value of a closed expression, or null where it has none or costs too much. */
export function evaluateExact(
  node: Node,
  budget: WorkBudget,
  bound: ExactBindings = NO_BINDINGS,
): Rational | null {
  if (!spend(budget, 1)) return null;
  const value = (child: Node): Rational | null => {
    const result = evaluateExact(child, budget, bound);
    return result !== null && spend(budget, costOf(result)) ? result : null;
  };
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'symbol':
      return bound.get(node.name) ?? null;
    case 'unit':
      return value(node.item);
    case 'percent':
      return combine(value(node.item), fromInteger(100), divideRational);
    case 'negate': {
      const item = value(node.item);
      return item === null ? null : negateRational(item);
    }
    case 'add':
      return fold(node.items, ZERO, value, addRational);
    case 'multiply':
      return fold(node.items, ONE, value, multiplyRational);
    case 'divide':
      return combine(value(node.top), value(node.bottom), divideRational);
    case 'power':
      return combine(value(node.base), value(node.exponent), exactPower);
    case 'ratio':
      return node.parts.length === 2 ? fold(node.parts, null, value, divideRational) : null;
    case 'call':
      return evaluateCall(node, budget, value);
    case 'binder':
      return evaluateBinder(node, budget, bound);
    default:
      return null;
  }
}

function combine(
  a: Rational | null,
  b: Rational | null,
  operation: (a: Rational, b: Rational) => Rational | null,
): Rational | null {
  return a === null || b === null ? null : operation(a, b);
}

function fold(
  items: Node[],
  start: Rational | null,
  value: (node: Node) => Rational | null,
  operation: (a: Rational, b: Rational) => Rational | null,
): Rational | null {
  let result = start;
  for (const [i, item] of items.entries()) {
    const next = value(item);
    if (next === null) return null;
    result = i === 0 && start === null ? next : combine(result, next, operation);
    if (result === null) return null;
  }
  return result;
}

function evaluateCall(
  node: CallNode,
  budget: WorkBudget,
  value: (node: Node) => Rational | null,
): Rational | null {
  const args: Rational[] = [];
  for (const arg of node.args) {
    const result = value(arg);
    if (result === null) return null;
    args.push(result);
  }
  const [a, b] = args;
  if (a === undefined) return null;
  switch (node.name) {
    case 'abs':
      return a.num < 0n ? negateRational(a) : a;
    case 'sgn':
      return fromInteger(a.num < 0n ? -1 : a.num > 0n ? 1 : 0);
    case 'floor':
      return fromInteger(floorRational(a));
    case 'ceil':
      return fromInteger(-floorRational(negateRational(a)));
    case 'factorial':
      return spend(budget, Number(a.num) / 4) ? exactFactorial(a) : null;
    case 'binomial':
      return b !== undefined && spend(budget, Number(a.num) / 4) ? exactBinomial(a, b) : null;
    case 'root':
      return b === undefined || b.den !== 1n || b.num > 64n ? null : exactRoot(a, Number(b.num));
    case 'mod':
      return b === undefined || b.num === 0n ? null : modulo(a, b);
    case 'max':
      return args.reduce((x, y) => (compareRational(x, y) < 0 ? y : x));
    case 'min':
      return args.reduce((x, y) => (compareRational(x, y) > 0 ? y : x));
    case 'gcd':
      return exactGcd(args);
    case 'lcm':
      return exactLcm(args);
    default:
      return null;
  }
}

function modulo(a: Rational, b: Rational): Rational | null {
  const quotient = divideRational(a, b);
  if (quotient === null) return null;
  const whole = multiplyRational(b, fromInteger(floorRational(quotient)));
  return whole === null ? null : addRational(a, negateRational(whole));
}

function evaluateBinder(node: BinderNode, budget: WorkBudget, bound: ExactBindings): Rational | null {
  if ((node.name !== 'sum' && node.name !== 'prod') || node.lower === null || node.upper === null)
    return null;
  const lower = evaluateExact(node.lower, budget, bound);
  const upper = evaluateExact(node.upper, budget, bound);
  if (lower === null || upper === null || lower.den !== 1n || upper.den !== 1n) return null;
  if (node.variable === '' || !spend(budget, Number(upper.num - lower.num))) return null;
  let result = node.name === 'sum' ? ZERO : ONE;
  const operation = node.name === 'sum' ? addRational : multiplyRational;
  const inner = new Map(bound);
  for (let k = lower.num; k <= upper.num; k += 1n) {
    inner.set(node.variable, fromInteger(k));
    const term = evaluateExact(node.body, budget, inner);
    const next = term === null ? null : operation(result, term);
    if (next === null || !spend(budget, costOf(next))) return null;
    result = next;
  }
  return result;
}
