import { readLead } from '../math/label.ts';
import type { AssignmentForm, Form } from './form.ts';
import { labelledListForm } from './labelled-form.ts';
import { listForm, systemForm, tupleForm } from './list-form.ts';

/**
 * What a list of forms means when assignments stand in it: values of one unknown are a list, values of several
 * unknowns a system, and repeated names several systems. Null where the list holds no assignment in front.
 */
export function readAssignments(forms: Form[]): Form | null {
  const [first] = forms;
  if (first?.kind !== 'assignment' || first.name === '') return null;
  const named = forms.filter(
    (form): form is AssignmentForm => form.kind === 'assignment' && form.name !== '',
  );
  const names = new Set(named.map((form) => form.name));
  // `x = 2, 3`: bare values continue the first assignment.
  if (names.size === 1) return listForm(forms);
  if (named.length !== forms.length) return null;
  if (names.size === named.length && named.every((form) => form.left.kind === 'text')) {
    return labelledListForm(named.map((form) => ({ label: readLead(form.name).text, value: form.value })));
  }
  if (names.size === named.length) return systemForm(named);
  if (named.length % names.size !== 0) return null;
  const systems: Form[] = [];
  for (let i = 0; i < named.length; i += names.size) {
    const group = named.slice(i, i + names.size);
    if (new Set(group.map((form) => form.name)).size !== names.size) return null;
    systems.push(systemForm(group));
  }
  return listForm(systems.map(asTuple));
}

/** Within a list a system is the tuple of its values. */
export function asTuple(form: Form): Form {
  return form.kind === 'system' ? tupleForm('(', ')', form.values) : form;
}
