import type { Node } from '../math/node.ts';
import { unitKind } from '../math/unit-kinds.ts';
import type { Form, LabelledForm, LabelledListForm } from './form.ts';
import { withoutName } from './form.ts';
import { shortKey } from './text-form.ts';

/** A value with words that stay in its key. */
export function labelledForm(value: Form, label: string, noun: boolean): LabelledForm {
  return { kind: 'labelled', key: shortKey('', `${value.key}|${label}`), label, noun, value };
}

/** The words beside the number of an item, folded; empty where there are none. */
export function labelOf(node: Node): string {
  switch (node.kind) {
    case 'unit':
      return node.label ?? labelOf(node.item);
    case 'labelled':
      return node.label;
    case 'negate':
    case 'plusMinus':
      return labelOf(node.item);
    default:
      return '';
  }
}

/**
 * Whether the words beside the numbers of a list tell them apart, so that it matters which stands with which:
 * `12 chickens, 23 rabbits`. One unit at the end, or one for all, does not.
 */
export function hasLabels(items: readonly Node[]): boolean {
  if (items.length < 2) return false;
  const labels = items.map(labelOf);
  return new Set(labels).size > 1 && labels.slice(0, -1).some((label) => label !== '');
}

/** Numbers with labels of their own, in any order unless a label comes twice. */
export function labelledListForm(entries: ReadonlyArray<{ label: string; value: Form }>): LabelledListForm {
  const values = entries.map(({ label, value }) => {
    const bare = withoutName(value);
    return { label: unitKind(label) ?? label, value: bare.kind === 'labelled' ? bare.value : bare };
  });
  const keys = [...new Set(values.map(({ label, value }) => `${label}:${value.key}`))];
  // Where a label comes twice, only the order says what belongs together.
  const ordered = new Set(values.map(({ label }) => label)).size < keys.length;
  return {
    kind: 'labelledList',
    key: shortKey('', `{${(ordered ? keys : keys.sort()).join(',')}}`),
    labels: values.map(({ label }) => label),
    items: values.map(({ value }) => value),
  };
}
