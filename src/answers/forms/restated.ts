import { childrenOf, type Node, type RelationNode } from '../math/node.ts';
import { hasFreeNames } from '../numeric/free-names.ts';
import type { Form } from './form.ts';

/** Functions that ask for a value rather than give one. */
const ASKING = /^(?:gcd|lcm|mod|max|min|det)$/;

/**
 * Whether an answer hands the work of the problem on instead of doing it: somewhere it holds a sum, a product, an integral or
 * a limit of known value, or asks for one (`\gcd(12,18)`). Arithmetic is no such work: `41+1`, `2^{10}`, `10!` and
 * `\binom{5}{2}` are forms in which answers are written. A chain answers with its end.
 */
export function isRestated(node: Node): boolean {
  if (node.kind === 'relation') return isRestatedRelation(node);
  const asks = node.kind === 'binder' || (node.kind === 'call' && ASKING.test(node.name));
  return (asks && !hasFreeNames(node)) || childrenOf(node).some(isRestated);
}

/** In a congruence `3 \mod 7` is a residue class, not a remainder that is asked for. */
function isRestatedRelation(node: RelationNode): boolean {
  const congruent = node.operators.some((operator) => operator === 'equiv' || operator === 'cong');
  return answeringParts(node).some((part) =>
    congruent && part.kind === 'call' && part.name === 'mod' ? part.args.some(isRestated) : isRestated(part),
  );
}

/** Of `a = b = c ≈ d` that is `c`, and of an inequality all. */
function answeringParts(node: RelationNode): Node[] {
  const rounded = node.operators.indexOf('approx');
  const exact = rounded < 0 ? node.parts : node.parts.slice(0, rounded + 1);
  const chained = node.operators.slice(0, exact.length - 1).every((operator) => operator === '=');
  return chained ? exact.slice(-1) : exact;
}

/** The form of an answer that restates its problem: no vote for the value that it asks for. */
export function restate(form: Form): Form {
  return { ...form, key: `=${form.key}`, restated: true };
}

/** The form of a truth: whoever wrote it down as a computation knew its value. */
export function settle(form: Form): Form {
  return form.restated === true ? { ...form, key: form.key.slice(1), restated: false } : form;
}
