import type { Form, SystemForm } from './form.ts';
import { withoutName } from './form.ts';
import { emptySet, shortKey } from './text-form.ts';

/** An unordered list: nested lists are flattened, repetitions collapse, and one item stands for itself. */
export function listForm(forms: Form[]): Form {
  const byKey = new Map<string, Form>();
  for (const form of forms) {
    const value = withoutName(form);
    for (const item of value.kind === 'list' ? value.items : [value]) byKey.set(item.key, item);
  }
  const items = [...byKey.values()];
  const [only] = items;
  if (only === undefined) return emptySet();
  if (items.length === 1) return only;
  return { kind: 'list', key: shortKey('', `{${[...byKey.keys()].sort().join(',')}}`), items };
}

/** An ordered tuple. Brackets tell pairs (which may be intervals) apart; longer ones are vectors whatever they use. */
export function tupleForm(open: string, close: string, forms: Form[]): Form {
  const items = forms.map(withoutName);
  return { kind: 'tuple', key: tupleKey(open, close, items), open, close, items };
}

function tupleKey(open: string, close: string, items: Form[]): string {
  const pair = items.length === 2;
  const left = pair && items[0]?.key !== '-inf' ? open : '(';
  const right = pair && items[1]?.key !== 'inf' ? close : ')';
  return shortKey('', `${left}${items.map((item) => item.key).join(',')}${right}`);
}

/** Values of several unknowns, in the order of the unknowns' names. */
export function systemForm(entries: Array<{ name: string; value: Form }>): SystemForm {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const values = sorted.map((entry) => withoutName(entry.value));
  return {
    kind: 'system',
    key: tupleKey('(', ')', values),
    names: sorted.map((entry) => entry.name),
    values,
  };
}
