import type { Scalar } from '../numeric/scalar.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import { type EqualityOptions, equalScalars } from './equal-scalars.ts';
import {
  type Form,
  type LabelledListForm,
  type ListForm,
  type ScalarForm,
  type SystemForm,
  withoutName,
} from './form.ts';
import { isPoint, type RealSet } from './real-set.ts';
import { vectorKey } from './vector-key.ts';

/** Lists that differ in more items than this are not matched item by item. */
const MAX_UNMATCHED = 24;

/**
 * The tolerant comparison of grading, beyond equal keys. Symmetric; not transitive, since it may round decimals, read
 * a percentage as a fraction, or take a list for a tuple.
 */
export function equalForms(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.key === b.key && !differInName(a, b, options)) return true;
  if (equalRelations(a, b)) return true;
  if (differInName(a, b, options)) return false;
  return equalValues(withoutName(a), withoutName(b), options);
}

function equalValues(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.key === b.key) return true;
  if (a.kind === 'scalar' && b.kind === 'scalar') return equalScalars(a, b, options);
  if (a.kind === 'based' || b.kind === 'based') return options.dropBase && equalWithoutBase(a, b);
  if (a.kind === 'list' && b.kind === 'list') return matchItems(a.items, b.items, options);
  if (a.kind === 'labelled' || b.kind === 'labelled') return equalLabelled(a, b, options);
  if (a.kind === 'labelledList' || b.kind === 'labelledList') return equalLabelledLists(a, b, options);
  if (a.kind === 'system' || b.kind === 'system') return equalSystems(a, b, options);
  if (a.kind === 'tuple' && b.kind === 'tuple') {
    const sameBrackets = a.items.length !== 2 || (a.open === b.open && a.close === b.close);
    return sameBrackets && equalInOrder(a.items, b.items, options);
  }
  if (a.kind === 'list' && b.kind === 'tuple') return equalInOrder(a.items, b.items, options);
  if (a.kind === 'tuple' && b.kind === 'list') return equalInOrder(a.items, b.items, options);
  if (a.kind === 'set' && b.kind === 'set') return equalSets(a.set, b.set, options);
  if (a.kind === 'matrix' && b.kind === 'matrix') {
    const sameShape =
      a.rows.length === b.rows.length && a.rows.every((row, i) => row.length === b.rows[i]?.length);
    return sameShape && equalInOrder(a.rows.flat(), b.rows.flat(), options);
  }
  return false;
}

function differInName(a: Form, b: Form, options: EqualityOptions): boolean {
  return options.strictNames && a.kind === 'assignment' && b.kind === 'assignment' && a.name !== b.name;
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

/** A system against another, or its values against a bare list or tuple in any order or in that of the names. */
function equalSystems(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.kind === 'system' && b.kind === 'system') {
    const sameNames = a.names.every((name, i) => name === b.names[i]);
    return sameNames && equalInOrder(a.values, b.values, options);
  }
  const [system, other] = a.kind === 'system' ? [a, b] : [b as SystemForm, a];
  if (other.kind === 'tuple') return equalInOrder(system.values, other.items, options);
  if (other.kind !== 'list') return false;
  return matchItems(asList(system).items, other.items, options);
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

/** Each value with the value of its label; or bare values in the written order, which the question fixes. */
function equalLabelledLists(a: Form, b: Form, options: EqualityOptions): boolean {
  if (a.kind === 'labelledList' && b.kind === 'labelledList') {
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
  const [labelled, other] = a.kind === 'labelledList' ? [a, b] : [b, a];
  const bare = other.kind === 'list' || (other.kind === 'tuple' && other.open === '(' && other.close === ')');
  return (
    labelled.kind === 'labelledList' &&
    labelled.noun &&
    bare &&
    equalInOrder(labelled.items, other.items, options)
  );
}

function sortByLabel(list: LabelledListForm): Array<{ label: string; item: Form }> {
  const entries = list.items.map((item, i) => ({ label: list.labels[i] ?? '', item }));
  // Where a label comes twice, only the order says what belongs together.
  if (new Set(list.labels).size < entries.length) return entries;
  return entries.sort((x, y) => (x.label < y.label ? -1 : 1));
}

function asList(system: SystemForm): ListForm {
  return { kind: 'list', key: system.key, items: system.values };
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

/** The ends of intervals may be rounded, as decimals are. */
function asForm(scalar: Scalar): ScalarForm {
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: 1, percent: false };
}

function equalWithoutBase(a: Form, b: Form): boolean {
  const [based, other] = a.kind === 'based' ? [a, b] : [b, a];
  return based.kind === 'based' && other.kind === 'scalar' && other.key === based.digits;
}
