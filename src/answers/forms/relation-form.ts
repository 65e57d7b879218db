import type { Node, RelationNode } from '../math/node.ts';
import { hasFreeNames } from '../numeric/free-names.ts';
import type { Form } from './form.ts';
import { listForm } from './list-form.ts';
import { isNameLike, nameOf } from './name-like.ts';
import { expandPlusMinus } from './plus-minus.ts';
import { readRelation, setForm } from './set-form.ts';
import { ORDER_OPERATORS } from './solve-inequality.ts';
import { structureOf } from './structure.ts';
import { shortKey } from './text-form.ts';
import { vectorKey } from './vector-key.ts';

type Build = (node: Node) => Form;

/** The form of an equation, assignment, inequality, membership, or a chain of those. */
export function relationForm(node: RelationNode, build: Build): Form {
  const relation = dropApproximation(node);
  if (relation.parts.length === 1) return build(relation.parts[0] ?? node);
  const { operators, parts } = relation;
  if (operators.every((operator) => operator === '=')) return equalityForm(parts, build);
  const [left, right] = parts;
  if (operators.length === 1 && operators[0] === 'in' && left && right && isNameLike(left)) {
    return { kind: 'assignment', ...keyed(build(right)), name: nameOf(left), left, right };
  }
  const split = splitAtUnion(relation);
  if (split !== null) return build(split);
  const set = readRelation(relation);
  if (set !== null) return setForm(set);
  if (operators.every((operator) => ORDER_OPERATORS.has(operator))) return inequalityForm(relation);
  return { kind: 'opaque', key: shortKey('x:', structureOf(relation)) };
}

/** `x < -2 \cup x > 3` joins two inequalities, though the sign stands between two of their sides. */
function splitAtUnion(node: RelationNode): Node | null {
  const at = node.parts.findIndex((part) => part.kind === 'setOperation' && part.operator !== 'setminus');
  const middle = node.parts[at];
  if (middle?.kind !== 'setOperation' || at === 0 || at === node.parts.length - 1) return null;
  if (!node.operators.every((operator) => ORDER_OPERATORS.has(operator))) return null;
  const before: Node = {
    kind: 'relation',
    operators: node.operators.slice(0, at),
    parts: [...node.parts.slice(0, at), middle.left],
  };
  const after: Node = {
    kind: 'relation',
    operators: node.operators.slice(at),
    parts: [middle.right, ...node.parts.slice(at + 1)],
  };
  const joiner = middle.operator === 'cup' ? 'or' : 'and';
  return { kind: 'sequence', open: '', close: '', items: [before, after], joiner };
}

function keyed(value: Form): { key: string; value: Form } {
  return { key: value.key, value };
}

/** Drops what follows ≈, unless only a name stands before it; reads ≡ as =, and ≅ as ≈ where a number follows. */
function dropApproximation(node: RelationNode): RelationNode {
  const congruent = node.operators.includes('equiv');
  const parts = congruent ? node.parts.map(asResidue) : node.parts;
  const operators = node.operators.map((operator, i) => {
    const right = node.parts[i + 1];
    if (operator === 'cong' && right !== undefined && !hasFreeNames(right)) return 'approx';
    return operator === 'equiv' ? '=' : operator;
  });
  const at = operators.indexOf('approx');
  const [first] = parts;
  if (at < 0 || first === undefined) return { ...node, operators, parts };
  if (at === 0 && isNameLike(first))
    return dropApproximation({ ...node, operators: ['=', ...operators.slice(1)], parts });
  return { ...node, operators: operators.slice(0, at), parts: parts.slice(0, at + 1) };
}

/** In a congruence `3 \mod 7` is a residue class, not a remainder. */
function asResidue(node: Node): Node {
  return node.kind === 'call' && node.name === 'mod'
    ? { kind: 'apply', name: 'residue', args: node.args }
    : node;
}

function equalityForm(parts: Node[], build: Build): Form {
  const left = parts[0];
  const right = parts.at(-1);
  if (left === undefined || right === undefined) return { kind: 'opaque', key: 'x:=' };
  const named = isNameLike(left);
  if (named && !parts.every(isNameLike)) return assignment(nameOf(left), left, right, build);
  if (parts.length > 2) return chainForm(parts, build);
  if (named) return assignment(nameOf(left), left, right, build);
  if (left.kind !== 'text' && !hasFreeNames(left)) {
    // Closed on both sides it is a computation, else a constant that stands in front of its equation.
    if (isNameLike(right)) return assignment(nameOf(right), right, left, build);
    if (!hasFreeNames(right)) return assignment('', left, right, build);
  }
  return equationForm(left, right);
}

/** `name = …` answers with what it is equal to; without a name, `\log_2 32 = 5` with the result of the computation. */
function assignment(name: string, left: Node, right: Node, build: Build): Form {
  return { kind: 'assignment', ...keyed(build(right)), name, left, right };
}

/**
 * A chain of equations is a computation, which answers with its last part, where its parts are closed or one and the
 * same expression; with one computation at its end it is an equation. Any other holds several equations.
 */
function chainForm(parts: Node[], build: Build): Form {
  const left = parts[0];
  const right = parts.at(-1);
  if (left === undefined || right === undefined) return { kind: 'opaque', key: 'x:=' };
  const name = [left, parts.at(-2)].find((part) => part !== undefined && isNameLike(part));
  if (name !== undefined && !hasFreeNames(right)) return assignment(nameOf(name), name, right, build);
  const steps = parts.filter((part, i) => {
    const next = parts[i + 1];
    if (next === undefined) return true;
    const closed = !hasFreeNames(part) && !hasFreeNames(next);
    return !closed && structureOf(part) !== structureOf(next);
  });
  const [first, second] = steps;
  if (first === undefined || second === undefined) return assignment('', left, right, build);
  if (steps.length === 2) return equalityForm([first, second], build);
  return opaqueChain(steps);
}

function opaqueChain(parts: Node[]): Form {
  const sides = parts.map((part) => structureOf(part)).sort();
  return { kind: 'opaque', key: shortKey('x:', sides.join('=')) };
}

function equationForm(left: Node, right: Node): Form {
  const sides = expandPlusMinus({ kind: 'relation', operators: ['='], parts: [left, right] });
  const forms = sides.map((side): Form => {
    const [l = left, r = right] = side.kind === 'relation' ? side.parts : [];
    const vector = vectorKey(l, r, false);
    if (vector === null) return opaqueChain([l, r]);
    return { kind: 'equation', key: `eq:${vector}`, left: l, right: r };
  });
  return listForm(forms);
}

/** Inequalities that are not solved: each as `expression > 0` up to a positive factor. */
function inequalityForm(node: RelationNode): Form {
  const keys: string[] = [];
  for (const [i, operator] of node.operators.entries()) {
    const left = node.parts[i];
    const right = node.parts[i + 1];
    if (left === undefined || right === undefined) continue;
    const less = operator === '<' || operator === 'le';
    const vector = vectorKey(less ? right : left, less ? left : right, operator !== 'ne');
    if (vector === null) return { kind: 'opaque', key: shortKey('x:', structureOf(node)) };
    const sign = operator === 'ne' ? '!' : operator.length === 1 ? '>' : '>=';
    keys.push(sign + vector);
  }
  return { kind: 'inequality', key: shortKey('in:', keys.sort().join('&')) };
}
