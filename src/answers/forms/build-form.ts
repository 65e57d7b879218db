import { childrenOf, type Node, type SequenceNode } from '../math/node.ts';
import { unitKind } from '../math/unit-kinds.ts';
import { evaluateScalar, type Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { asTuple, readAssignments } from './assignments.ts';
import { readConditions } from './conditions.ts';
import type { Form, ScalarForm } from './form.ts';
import { hasLabels, labelledForm, labelledListForm, labelOf } from './labelled-form.ts';
import { listForm, nestedSet, tupleForm } from './list-form.ts';
import { expandMatrices } from './matrix-arithmetic.ts';
import { expandPlusMinus, hasPlusMinus } from './plus-minus.ts';
import { relationForm } from './relation-form.ts';
import { readRealSet, setForm } from './set-form.ts';
import { structureOf } from './structure.ts';
import { shortKey, textForm } from './text-form.ts';

/** The normal form of a parsed answer. */
export function buildForm(node: Node): Form {
  switch (node.kind) {
    case 'text':
      return textForm(node.text);
    case 'sequence':
      return sequenceForm(node);
    case 'relation':
      return relationForm(node, buildForm);
    case 'set':
    case 'setBuilder':
    case 'setOperation':
      return operationForm(node);
    case 'based':
      return { kind: 'based', key: `${node.digits}_${node.base}`, digits: node.digits, base: node.base };
    case 'labelled':
      return labelledForm(buildForm(node.item), node.label, node.noun);
    case 'cases':
    case 'dots':
      return opaque(node);
    default:
      return expressionForm(node);
  }
}

function expressionForm(node: Node): Form {
  if (node.kind === 'negate' && node.item.kind === 'labelled') {
    const { item, label, noun } = node.item;
    return labelledForm(buildForm({ kind: 'negate', item }), label, noun);
  }
  if (hasPlusMinus(node)) {
    const variants = expandPlusMinus(node);
    return variants.length === 1 ? opaque(node) : listForm(variants.map(expressionForm));
  }
  const expanded = expandMatrices(node);
  if (expanded.kind === 'matrix') {
    const rows = expanded.rows.map((row) => row.map(buildForm));
    const [only] = rows.flat();
    if (rows.flat().length === 1 && only !== undefined) return only;
    const key = rows.map((row) => row.map((entry) => entry.key).join(',')).join(';');
    return { kind: 'matrix', key: shortKey('mat:', `[${key}]`), rows };
  }
  const percent = stripUnits(expanded);
  const scalar = evaluateScalar(percent.node);
  if (scalar === null) return opaque(node);
  const form = scalarForm(scalar, percent.node, percent.percent);
  const unit = unitOf(expanded);
  return unit === null ? form : { ...form, unit };
}

function scalarForm(scalar: Scalar, node: Node, percent: boolean): ScalarForm {
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: literalDecimals(node), percent };
}

/** The unit over the whole answer, where it is told apart from others. */
function unitOf(node: Node): string | null {
  if (node.kind === 'negate') return unitOf(node.item);
  return node.kind === 'unit' && node.label !== undefined ? unitKind(node.label) : null;
}

/** A percent sign or unit over the whole answer says how to read it, not how much it is. */
function stripUnits(node: Node): { node: Node; percent: boolean } {
  if (node.kind === 'unit') return stripUnits(node.item);
  if (node.kind === 'percent') return { node: stripUnits(node.item).node, percent: true };
  if (node.kind === 'negate') {
    const inner = stripUnits(node.item);
    return inner.node === node.item
      ? { node, percent: false }
      : { node: { kind: 'negate', item: inner.node }, percent: inner.percent };
  }
  return { node, percent: false };
}

/** Decimals of `0.33` or `-1.6 \times 10^{3}`: literals, not computations. */
function literalDecimals(node: Node): number {
  if (node.kind === 'number') return node.decimals;
  if (node.kind === 'negate') return literalDecimals(node.item);
  if (node.kind !== 'multiply') return 0;
  return Math.max(0, ...childrenOf(node).map((child) => (child.kind === 'number' ? child.decimals : 0)));
}

function sequenceForm(node: SequenceNode): Form {
  if (node.items.some((item) => item.kind === 'dots')) {
    return opaque(node.open === '{' ? { ...node, open: '', close: '' } : node);
  }
  if (hasLabels(node.items)) return labelledItems(node);
  if (node.open === '' || node.open === '{') return bareListForm(node);
  if (node.items.some(hasPlusMinus)) {
    const variants = expandPlusMinus(node);
    if (variants.length > 1) return listForm(variants.map(buildForm));
  }
  const forms = node.items.map(elementForm);
  const system = forms.every((form) => form.kind === 'assignment') ? readAssignments(forms) : null;
  return system?.kind === 'system' ? system : tupleForm(node.open, node.close, forms);
}

function labelledItems(node: SequenceNode): Form {
  return labelledListForm(node.items.map((item) => ({ label: labelOf(item), value: buildForm(item) })));
}

function bareListForm(node: SequenceNode): Form {
  const joined = node.open === '' ? readConditions(node, buildForm) : null;
  if (joined !== null) return joined === 'mixed' ? opaque(node) : joined;
  const forms = node.items.map(elementForm);
  return readAssignments(forms) ?? listForm(forms.map(asTuple));
}

/** An item of a list or tuple: a set in braces keeps them, and between semicolons stand tuples. */
function elementForm(node: Node): Form {
  if (node.kind !== 'sequence' || (node.open !== '' && node.open !== '{')) return buildForm(node);
  if (node.items.some((item) => item.kind === 'dots')) return buildForm(node);
  if (hasLabels(node.items)) return labelledItems(node);
  const forms = node.items.map(elementForm);
  if (node.open === '{') return nestedSet(forms);
  const assignments = readAssignments(forms);
  return assignments === null ? tupleForm('(', ')', forms) : asTuple(assignments);
}

function operationForm(node: Node): Form {
  const set = readRealSet(node);
  if (set !== null) return setForm(set);
  const operands = unionOperands(node);
  const finite =
    operands.length > 1 && operands.every((operand) => operand.kind === 'sequence' && operand.open === '{');
  return finite ? listForm(operands.map(buildForm)) : opaque(node);
}

function unionOperands(node: Node): Node[] {
  if (node.kind !== 'setOperation' || node.operator !== 'cup') return [node];
  return [...unionOperands(node.left), node.right];
}

function opaque(node: Node): Form {
  return { kind: 'opaque', key: shortKey('x:', structureOf(node)) };
}
