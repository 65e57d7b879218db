import type { Node } from '../math/node.ts';
import type { Scalar } from '../numeric/scalar.ts';
import type { RealSet } from './real-set.ts';

/** The normal form of an answer. Two answers are one vote exactly when the keys of their forms are equal. */
export type Form = FormKind & {
  /** The answer restates its problem, see restated.ts. */
  restated?: boolean;
};

type FormKind =
  | ScalarForm
  | { kind: 'text'; key: string }
  | ListForm
  | TupleForm
  | { kind: 'set'; key: string; set: RealSet }
  | { kind: 'matrix'; key: string; rows: Form[][] }
  | LabelledForm
  | LabelledListForm
  | AssignmentForm
  | SystemForm
  | { kind: 'equation'; key: string; left: Node; right: Node }
  | { kind: 'inequality'; key: string }
  | { kind: 'based'; key: string; digits: string; base: string }
  | { kind: 'opaque'; key: string };

export interface ScalarForm {
  kind: 'scalar';
  key: string;
  scalar: Scalar;
  /** Decimals of a plain decimal literal; 0 where the answer is exact. */
  decimals: number;
  percent: boolean;
  /** What it is measured in, where that is one of the units which are told apart (unit-kinds.ts). */
  unit?: string;
}

/** An unordered list without repetition; `items` are in written order for the tolerant comparison. */
export interface ListForm {
  kind: 'list';
  key: string;
  /** A set in braces that stands in another. */
  nested: boolean;
  items: Form[];
}

export interface TupleForm {
  kind: 'tuple';
  key: string;
  open: string;
  close: string;
  items: Form[];
}

/** A value with words that may change what it means: `20% loss`. `noun` where they are no more than an unknown noun. */
export interface LabelledForm {
  kind: 'labelled';
  key: string;
  label: string;
  noun: boolean;
  value: Form;
}

/** `12 chickens, 23 rabbits`: each number with its label, in written order. */
export interface LabelledListForm {
  kind: 'labelledList';
  key: string;
  labels: string[];
  items: Form[];
}

/** `x = 5`: the key is the value's, since the question fixes the variable. */
export interface AssignmentForm {
  kind: 'assignment';
  key: string;
  name: string;
  value: Form;
  left: Node;
  right: Node;
}

/** `x = 1, y = 2`: the key is that of the values as a tuple in the order of the names. */
export interface SystemForm {
  kind: 'system';
  key: string;
  names: string[];
  values: Form[];
}

/** The form behind an assignment. */
export function withoutName(form: Form): Form {
  return form.kind === 'assignment' ? withoutName(form.value) : form;
}
