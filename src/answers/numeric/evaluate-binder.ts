import type { BinderNode, Node } from '../math/node.ts';
import { hasBreaks } from './branches.ts';
import { addComplex, type Complex, multiplyComplex, NOT_A_NUMBER, ONE, real } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { DD_ZERO } from './double-double.ts';
import { evaluateExact } from './evaluate-exact.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { oracleValue, sampleVariable } from './sample-points.ts';
import { spend } from './work-budget.ts';

/** Naming a sum costs this much beside its parts; nested ones double with each level. */
const BINDER_STEPS = 20;

const BOUND_LABELS = ['bound variable', 'bound variable again'];

type Evaluate = (node: Node, context: EvaluationContext) => Complex;

/** A finite sum or product by its terms; any other bound form by a value that depends on its parts. */
export function evaluateBinder(node: BinderNode, context: EvaluationContext, evaluate: Evaluate): Complex {
  if (
    (node.name === 'sum' || node.name === 'prod') &&
    node.variable !== '' &&
    node.lower !== null &&
    node.upper !== null
  ) {
    const lower = evaluateExact(node.lower, context.budget);
    const upper = evaluateExact(node.upper, context.budget);
    if (lower !== null && upper !== null && lower.den === 1n && upper.den === 1n) {
      return addTerms(node, lower.num, upper.num, context, evaluate);
    }
  }
  return describeBinder(node, context, evaluate);
}

function addTerms(
  node: BinderNode,
  lower: bigint,
  upper: bigint,
  context: EvaluationContext,
  evaluate: Evaluate,
): Complex {
  if (!spend(context.budget, Number(upper - lower))) return NOT_A_NUMBER;
  let result = node.name === 'sum' ? real(DD_ZERO, 0) : ONE;
  const bound = new Map(context.bound);
  for (let k = lower; k <= upper; k += 1n) {
    bound.set(node.variable, real({ high: Number(k), low: 0 }, 0));
    const term = evaluate(node.body, { ...context, bound });
    result = node.name === 'sum' ? addComplex(result, term) : multiplyComplex(result, term);
  }
  return result;
}

/**
 * The bound variable takes two fixed values whatever its name, so that renaming it changes nothing. Sums and definite
 * integrals are linear: they weigh the two values of their body by what depends on the bounds alone.
 */
function describeBinder(node: BinderNode, context: EvaluationContext, evaluate: Evaluate): Complex {
  // Two values of the body show nothing of its breaks.
  if (hasBreaks(node.body) || !spend(context.budget, BINDER_STEPS)) return NOT_A_NUMBER;
  const parts: string[] = [node.name];
  for (const limit of [node.lower, node.upper]) {
    const text = limit === null ? '-' : describeLimit(limit, context, evaluate);
    if (text === null) return NOT_A_NUMBER;
    parts.push(text);
  }
  if (node.name === 'antiderivative') parts.push(node.variable);
  const values = BOUND_LABELS.map((label) => {
    const bound = new Map(context.bound);
    if (node.variable !== '' && node.name !== 'antiderivative')
      bound.set(node.variable, sampleVariable(label, 0));
    return evaluate(node.body, { ...context, bound });
  });
  const texts = values.map(describeValue);
  if (texts.includes(null)) return NOT_A_NUMBER;
  if (node.name !== 'sum' && node.name !== 'int') return oracleValue([...parts, ...texts].join('|'));
  return values
    .map((value, i) => multiplyComplex(value, oracleValue([...parts, i].join('|'))))
    .reduce(addComplex);
}

function describeLimit(node: Node, context: EvaluationContext, evaluate: Evaluate): string | null {
  if (node.kind === 'infinity') return 'infinity';
  if (node.kind === 'negate' && node.item.kind === 'infinity') return '-infinity';
  if (node.kind === 'set') return node.name;
  return describeValue(evaluate(node, context));
}
