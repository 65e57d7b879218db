import type { Node, RelationNode, SequenceNode } from '../math/node.ts';
import type { AssignmentForm, Form } from './form.ts';
import { systemForm } from './list-form.ts';
import type { RealSet } from './real-set.ts';
import { combineConditions, setForm } from './set-form.ts';
import { ORDER_OPERATORS, solveInequalities } from './solve-inequality.ts';

/** More conditions than this are not combined. */
const MAX_CONDITIONS = 64;

/** What an item says of one unknown. */
interface Condition {
  name: string;
  /** The values that are left to it, or the one value that it has. */
  set: RealSet | AssignmentForm;
}

/**
 * What a bare list of statements says where conditions stand in it: those on one unknown are one set, those on several a
 * system by their names. `mixed` where names would be lost, null where the list holds no condition.
 */
export function readConditions(node: SequenceNode, build: (node: Node) => Form): Form | 'mixed' | null {
  if (node.items.length > MAX_CONDITIONS || !node.items.every((item) => item.kind === 'relation'))
    return null;
  const relations = node.items.filter((item): item is RelationNode => item.kind === 'relation');
  if (!relations.some(isCondition)) return null;
  const conditions = relations.map((item) => readStatement(item, build));
  if (conditions.some((condition) => condition === null)) return node.joiner === 'or' ? 'mixed' : null;
  const known = conditions.filter((condition) => condition !== null);
  const byName = new Map<string, Array<RealSet | AssignmentForm>>();
  for (const { name, set } of known) byName.set(name, [...(byName.get(name) ?? []), set]);
  const joined = [...byName].map(([name, sets]) => ({ name, value: joinSets(sets, node.joiner) }));
  const [first, ...others] = joined;
  if (first === undefined) return null;
  if (others.length === 0) return first.value;
  const entries = joined.filter((entry): entry is { name: string; value: Form } => entry.value !== null);
  return entries.length === joined.length && node.joiner !== 'or' ? systemForm(entries) : 'mixed';
}

function isCondition(node: RelationNode): boolean {
  return node.operators.every((sign) => ORDER_OPERATORS.has(sign));
}

function readStatement(node: RelationNode, build: (node: Node) => Form): Condition | null {
  if (isCondition(node)) {
    const solution = solveInequalities(node);
    return solution === null ? null : { name: solution.variable, set: solution.set };
  }
  const form = build(node);
  return form.kind === 'assignment' && form.name !== '' ? { name: form.name, set: form } : null;
}

/** Conditions on one unknown; null where a value stands beside a condition. */
function joinSets(sets: Array<RealSet | AssignmentForm>, joiner: SequenceNode['joiner']): Form | null {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined && 'kind' in only) return only.value;
  const ranges = sets.filter((set): set is RealSet => !('kind' in set));
  if (ranges.length !== sets.length) return null;
  const set = combineConditions(ranges, joiner);
  return set === null ? null : setForm(set);
}
