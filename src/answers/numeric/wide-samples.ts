import { childrenOf, type Node } from '../math/node.ts';
import type { Complex } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { evaluate } from './evaluate.ts';
import { hasFreeNames } from './free-names.ts';
import { WIDE_POINTS } from './sample-points.ts';
import type { WorkBudget } from './work-budget.ts';

const PERIODIC = /^(?:sin|cos|tan|cot|sec|csc)$/;
const FOLDING = /^a(?:sin|cos|tan|cot|sec|csc)$/;

/** Whether an angle is taken of what turns with a variable, so that it folds back: arcsin(sin x) is x for small x alone. */
export function foldsAngles(node: Node): boolean {
  return (
    (node.kind === 'call' && FOLDING.test(node.name) && node.args.some(turns)) ||
    childrenOf(node).some(foldsAngles)
  );
}

/** Whether a part of it turns with a variable, so that it comes back to its values again and again. */
export function turns(node: Node): boolean {
  return (
    (node.kind === 'call' && PERIODIC.test(node.name) && hasFreeNames(node)) || childrenOf(node).some(turns)
  );
}

/** The values of an expression several turns around; null where it has too few. */
export function sampleWide(node: Node, budget: WorkBudget): Array<Complex | null> | null {
  const values = WIDE_POINTS.map((point) => {
    const flags = { branched: false, absorbed: false };
    const value = evaluate(node, { point, bound: new Map(), budget, flags });
    return describeValue(value) === null || flags.branched || flags.absorbed ? null : value;
  });
  return values.filter((value) => value !== null).length < values.length / 2 ? null : values;
}
