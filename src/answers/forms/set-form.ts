import type { Node, RelationNode, SequenceNode } from '../math/node.ts';
import { freeSymbols } from '../numeric/free-names.ts';
import { evaluateScalar, type Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { answerBudget, spend } from '../numeric/work-budget.ts';
import { realValue } from './compare-scalars.ts';
import type { Form } from './form.ts';
import { listForm } from './list-form.ts';
import { isNameLike } from './name-like.ts';
import {
  complement,
  difference,
  intersection,
  interval,
  isPoint,
  mergeAll,
  point,
  REAL_LINE,
  type RealSet,
  realSetKey,
  union,
} from './real-set.ts';
import { ORDER_OPERATORS, solveInequalities } from './solve-inequality.ts';
import { emptySet, shortKey } from './text-form.ts';

/** The form of a real set; isolated points alone are a list. */
export function setForm(set: RealSet): Form {
  if (set.length === 0) return emptySet();
  if (set.every(isPoint)) return listForm(set.map((piece) => scalarForm(piece.low)));
  return { kind: 'set', key: shortKey('', realSetKey(set)), set };
}

function scalarForm(scalar: Scalar): Form {
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: 0, percent: false };
}

/** The real set that a node describes, or null. */
export function readRealSet(node: Node): RealSet | null {
  switch (node.kind) {
    case 'set':
      if (node.name === '∅') return [];
      if (node.name === 'R') return REAL_LINE;
      return node.name === 'R+' ? keep(interval(zero(), infinity(), false, false)) : null;
    case 'sequence':
      return readSequence(node);
    case 'setOperation':
      return readOperation(node.operator, readRealSet(node.left), readRealSet(node.right));
    case 'setBuilder':
      return readBuilder(node.variable, node.condition);
    case 'relation':
      return readRelation(node);
    default: {
      const value = realScalar(node);
      return value === null ? null : [point(value)];
    }
  }
}

function readSequence(node: SequenceNode): RealSet | null {
  if (node.open === '{' || node.open === '') {
    const points = node.items.map(readRealSet);
    if (points.some((set) => set === null)) return null;
    return mergeAll(points.filter((set) => set !== null));
  }
  const [low, high] = node.items.map(realScalar);
  if (node.items.length !== 2 || !low || !high) return null;
  const piece = interval(low, high, node.open === '[', node.close === ']');
  return piece === null ? null : [piece];
}

function readOperation(operator: string, left: RealSet | null, right: RealSet | null): RealSet | null {
  if (left === null || right === null || !spend(answerBudget(), 8 * (left.length + right.length)))
    return null;
  if (operator === 'cup') return union(left, right);
  return operator === 'cap' ? intersection(left, right) : difference(left, right);
}

/** `\{x \in D \mid …\}`, with conditions on x alone. */
function readBuilder(variable: Node, condition: Node): RealSet | null {
  const [unknown, domain] =
    variable.kind === 'relation' && variable.operators.join() === 'in' ? variable.parts : [variable];
  if (unknown?.kind !== 'symbol' || freeSymbols(condition).join() !== unknown.name) return null;
  const range = domain === undefined ? REAL_LINE : readRealSet(domain);
  const set = readCondition(condition);
  return range === null || set === null ? null : intersection(range, set);
}

/** A condition on one unknown: an inequality, a membership, or several joined by commas, `and`, `or`. */
function readCondition(node: Node): RealSet | null {
  if (node.kind === 'relation') return readRelation(node);
  if (node.kind !== 'sequence' || node.open !== '') return null;
  return combineConditions(node.items.map(readCondition), node.joiner);
}

/** A comma between conditions means "and", unless nothing could then fulfil them. */
export function combineConditions(
  sets: Array<RealSet | null>,
  joiner: SequenceNode['joiner'],
): RealSet | null {
  const known = sets.filter((set) => set !== null);
  const [first, ...rest] = known;
  if (first === undefined || known.length !== sets.length || !spend(answerBudget(), known.length ** 2 / 2))
    return null;
  if (joiner === 'or') return rest.reduce(union, first);
  const both = rest.reduce(intersection, first);
  return both.length === 0 && joiner === ',' ? rest.reduce(union, first) : both;
}

export function readRelation(node: RelationNode): RealSet | null {
  const [operator] = node.operators;
  const [left, right] = node.parts;
  if (node.operators.length === 1 && left !== undefined && right !== undefined && isNameLike(left)) {
    if (operator === 'in') return readRealSet(right);
    const excluded = operator === 'notin' ? readRealSet(right) : null;
    if (excluded !== null) return complement(excluded);
  }
  return node.operators.every((sign) => ORDER_OPERATORS.has(sign))
    ? (solveInequalities(node)?.set ?? null)
    : null;
}

function realScalar(node: Node): Scalar | null {
  const scalar = /^(?:sequence|relation|set|setOperation|setBuilder|text)$/.test(node.kind)
    ? null
    : evaluateScalar(node);
  return scalar !== null && realValue(scalar) !== null ? scalar : null;
}

function keep(piece: ReturnType<typeof interval>): RealSet {
  return piece === null ? [] : [piece];
}

function zero(): Scalar {
  return { kind: 'exact', value: { num: 0n, den: 1n } };
}

function infinity(): Scalar {
  return { kind: 'infinite', negative: false };
}
