import { unitsDiffer } from '../math/unit-kinds.ts';
import type { Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { type EqualityOptions, equalScalars } from './equal-scalars.ts';
import { type Form, type LabelledListForm, type ScalarForm, type TupleForm, withoutName } from './form.ts';
import { isPoint, type RealSet } from './real-set.ts';
import { vectorKey } from './vector-key.ts';

/** Lists that differ in more items than this are not matched item by item. */
const MAX_UNMATCHED = 24;

/**
 * The tolerant comparison of grading, beyond equal keys. Symmetric; not transitive, since it may round decimals, read
 * a percentage as a fraction, or take a bare list for the values of named unknowns.
 */
export function equalForms(a: Form, b: Form, options: EqualityOptions): boolean {
  if (differInUnit(a, b)) return false;
  if (a.key === b.key && !differInName(a, b, options)) return true;
  if (equalRelations(a, b)) return true;
  if (differInName(a, b, options)) return false;
  return equalValues(withoutName(a), withoutName(b), options);
}

/** Whether both say what they are measured in, and it is not the same: `12 cm` and `12 cm^2`, `2 hours` and `2 minutes`. */
export function differInUnit(a: Form, b: Form): boolean {
  const [left, right] = [withoutName(a), withoutName(b)];
  if (left.kind !== 'scalar' || right.kind !== 'scalar') return false;
  return left.unit !== undefined && right.unit !== undefined && unitsDiffer(left.unit, right.unit);
}

/** Beyond names and units it is a function of the keys, so that no spelling of a truth takes more than another. */
function equalValues(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.kind === 'scalar' && b.kind === 'scalar') return equalScalars(a, b, options);
  if (a.key === b.key) return true;
  if (a.kind === 'based' || b.kind === 'based') return options.dropBase && equalWithoutBase(a, b);
  if (a.kind === 'labelled' || b.kind === 'labelled') return equalLabelled(a, b, options);
  if (a.kind === 'labelledList' && b.kind === 'labelledList') return equalLabelledLists(a, b, options);
  const left = bracketsOf(a);
  const right = bracketsOf(b);
  if (left !== null && right !== null) {
    const sameBrackets = left.open === right.open && left.close === right.close;
    return sameBrackets && equalInOrder(left.items, right.items, options);
  }
  if (a.kind === 'list' && b.kind === 'list')
    return a.nested === b.nested && matchItems(a.items, b.items, options);
  // Whoever names the unknowns needs no brackets to tell which values belong together.
  if (a.kind === 'system' && b.kind === 'list') return matchItems(a.values, b.items, options);
  if (a.kind === 'list' && b.kind === 'system') return matchItems(a.items, b.values, options);
  if (a.kind === 'set' && b.kind === 'set') return equalSets(a.set, b.set, options);
  if (a.kind === 'matrix' && b.kind === 'matrix') {
    const sameShape =
      a.rows.length === b.rows.length && a.rows.every((row, i) => row.length === b.rows[i]?.length);
    return sameShape && equalInOrder(a.rows.flat(), b.rows.flat(), options);
  }
  return false;
}

/** The brackets and coordinates of a tuple, of one interval, or of the values of a system; null for anything else. */
function bracketsOf(form: Form): Pick<TupleForm, 'open' | 'close' | 'items'> | null {
  if (form.kind === 'tuple') return form;
  if (form.kind === 'system') return { open: '(', close: ')', items: form.values };
  const [piece, ...others] = form.kind === 'set' ? form.set : [];
  if (piece === undefined || others.length > 0) return null;
  return {
    open: piece.lowClosed ? '[' : '(',
    close: piece.highClosed ? ']' : ')',
    items: [asForm(piece.low), asForm(piece.high)],
  };
}

function differInName(a: Form, b: Form, options: EqualityOptions): boolean {
  if (!options.strictNames) return false;
  if (a.kind === 'system' && b.kind === 'system') return a.names.join() !== b.names.join();
  return a.kind === 'assignment' && b.kind === 'assignment' && a.name !== b.name;
}

/** `y = 2x + 3` is the line `2x - y + 3 = 0`, and `x = y` is `y = x`. */
function equalRelations(a: Form, b: Form): boolean {
  const left = relationKey(a);
  return left !== null && left === relationKey(b);
}

function relationKey(form: Form): string | null {
  if (form.kind === 'equation') return form.key;
  if (form.kind !== 'assignment' || form.name === '') return null;
  const key = vectorKey(form.left, form.right, false);
  return key === null ? null : `eq:${key}`;
}

function equalInOrder(a: readonly Form[], b: readonly Form[], options: EqualityOptions): boolean {
  if (a.length !== b.length) return false;
  return a.every((item, i) => {
    const other = b[i];
    return other !== undefined && equalForms(item, other, options);
  });
}

/** Items with equal keys pair off first, so that only the few that differ are compared with each other. */
function matchItems(a: readonly Form[], b: readonly Form[], options: EqualityOptions): boolean {
  if (a.length !== b.length) return false;
  const keys = new Set(a.map((item) => item.key));
  const rest = b.filter((item) => !keys.delete(item.key));
  const open = a.filter((item) => keys.has(item.key));
  if (rest.length !== open.length || rest.length > MAX_UNMATCHED) return false;
  for (const item of open) {
    const at = rest.findIndex((other) => equalForms(item, other, options));
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return true;
}

/** One label on both, or an unknown noun on one that the other leaves out. */
function equalLabelled(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.kind === 'labelled' && b.kind === 'labelled')
    return a.label === b.label && equalForms(a.value, b.value, options);
  const [labelled, other] = a.kind === 'labelled' ? [a, b] : [b, a];
  return (
    labelled.kind === 'labelled' &&
    labelled.noun &&
    other.kind === 'scalar' &&
    equalForms(labelled.value, other, options)
  );
}

/** Each value with the value of its label. */
function equalLabelledLists(a: LabelledListForm, b: LabelledListForm, options: EqualityOptions): boolean {
  const x = sortByLabel(a);
  const y = sortByLabel(b);
  return (
    x.every(({ label }, i) => label === y[i]?.label) &&
    equalInOrder(
      x.map(({ item }) => item),
      y.map(({ item }) => item),
      options,
    )
  );
}

function sortByLabel(list: LabelledListForm): Array<{ label: string; item: Form }> {
  const entries = list.items.map((item, i) => ({ label: list.labels[i] ?? '', item }));
  // Where a label comes twice, only the order says what belongs together.
  if (new Set(list.labels).size < entries.length) return entries;
  return entries.sort((x, y) => (x.label < y.label ? -1 : 1));
}

function equalSets(a: RealSet, b: RealSet, options: EqualityOptions): boolean {
  if (a.length !== b.length) return false;
  return a.every((piece, i) => {
    const other = b[i];
    if (other === undefined || piece.lowClosed !== other.lowClosed || piece.highClosed !== other.highClosed)
      return false;
    const ends = [
      [piece.low, other.low],
      [piece.high, other.high],
    ] as const;
    const checked = isPoint(piece) ? ends.slice(0, 1) : ends;
    return checked.every(([x, y]) => equalScalars(asForm(x), asForm(y), options));
  });
}

/** The end of an interval as an answer of its own; a decimal fraction may have been rounded. */
function asForm(scalar: Scalar): ScalarForm {
  const decimal = scalar.kind === 'exact' && isDecimalFraction(scalar.value.den);
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: decimal ? 1 : 0, percent: false };
}

function isDecimalFraction(den: bigint): boolean {
  let rest = den;
  while (rest % 10n === 0n) rest /= 10n;
  while (rest % 5n === 0n) rest /= 5n;
  while (rest % 2n === 0n) rest /= 2n;
  return rest === 1n && den !== 1n;
}

function equalWithoutBase(a: Form, b: Form): boolean {
  const [based, other] = a.kind === 'based' ? [a, b] : [b, a];
  return based.kind === 'based' && other.kind === 'scalar' && other.key === based.digits;
}
