import type { Form, ListForm, SystemForm, TupleForm } from './form.ts';
import { withoutName } from './form.ts';
import { emptySet, shortKey } from './text-form.ts';

/** An unordered list: lists in it are merged (but for sets in braces), repetitions collapse, and one item stands for itself. */
export function listForm(forms: Form[]): Form {
  const list = collect(forms);
  const [only] = list.items;
  if (only === undefined) return emptySet();
  return list.items.length === 1 ? only : list;
}

/** A set that is an element of another, which tells it from its own elements. */
export function nestedSet(forms: Form[]): Form {
  return forms.length === 0 ? emptySet() : { ...collect(forms), nested: true };
}

function collect(forms: Form[]): ListForm {
  const byKey = new Map<string, Form>();
  for (const form of forms) {
    const value = withoutName(form);
    for (const item of value.kind === 'list' && !value.nested ? value.items : [value])
      byKey.set(item.key, item);
  }
  const key = shortKey('', `{${[...byKey.keys()].sort().join(',')}}`);
  return { kind: 'list', key, nested: false, items: [...byKey.values()] };
}

/** An ordered tuple. Brackets tell pairs (which may be intervals) apart; longer ones are vectors whatever they use. */
export function tupleForm(open: string, close: string, forms: Form[]): TupleForm {
  const items = forms.map(withoutName);
  const pair = items.length === 2;
  const left = pair && items[0]?.key !== '-inf' ? open : '(';
  const right = pair && items[1]?.key !== 'inf' ? close : ')';
  const key = shortKey('', `${left}${items.map((item) => item.key).join(',')}${right}`);
  return { kind: 'tuple', key, open: left, close: right, items };
}

/** Values of several unknowns, in the order of the unknowns' names. */
export function systemForm(entries: Array<{ name: string; value: Form }>): SystemForm {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const values = sorted.map((entry) => withoutName(entry.value));
  return {
    kind: 'system',
    key: tupleForm('(', ')', values).key,
    names: sorted.map((entry) => entry.name),
    values,
  };
}
