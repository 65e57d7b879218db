import type { CallNode, Node, PowerNode } from '../math/node.ts';
import {
  addComplex,
  type Complex,
  divideComplex,
  fromRational,
  isFiniteValue,
  magnitude,
  multiplyComplex,
  NOT_A_NUMBER,
  negateComplex,
  ONE,
  real,
} from './complex.ts';
import { describeValue } from './describe-value.ts';
import { DD_ZERO } from './double-double.ts';
import { E, PI } from './elementary.ts';
import { evaluateBinder } from './evaluate-binder.ts';
import { evaluateFunction } from './evaluate-function.ts';
import { evaluatePower } from './evaluate-power.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { oracleValue, sampleVariable } from './sample-points.ts';
import { spend } from './work-budget.ts';

/** Steps of the functions that take longer than the others. */
const COSTLY: Readonly<Record<string, number>> = { factorial: 24, binomial: 72 };

const IMAGINARY: Complex = { re: DD_ZERO, im: { high: 1, low: 0 }, error: 0 };
const HUNDRED: Complex = real({ high: 100, low: 0 }, 0);

/**
 * The complex value of an expression at the context's sample point; NaN where it has none. What no rule knows
 * (an unknown function, a sum without bounds) gets a value that depends on its evaluated parts only.
 */
export function evaluate(node: Node, context: EvaluationContext): Complex {
  if (!spend(context.budget, 1)) return NOT_A_NUMBER;
  switch (node.kind) {
    case 'number':
      return fromRational(node.value.num, node.value.den);
    case 'symbol':
      return evaluateSymbol(node.name, context);
    case 'unit':
      return evaluate(node.item, context);
    case 'percent':
      return divideComplex(evaluate(node.item, context), HUNDRED);
    case 'negate':
      return negateComplex(evaluate(node.item, context));
    case 'add':
      return addAll(
        node.items.map((item) => evaluate(item, context)),
        context,
      );
    case 'multiply':
      return node.items.map((item) => evaluate(item, context)).reduce(multiplyComplex, ONE);
    case 'divide':
      return divideComplex(evaluate(node.top, context), evaluate(node.bottom, context));
    case 'ratio':
      return node.parts.length === 2
        ? node.parts.map((part) => evaluate(part, context)).reduce(divideComplex)
        : NOT_A_NUMBER;
    case 'power':
      return evaluatePowerNode(node, context);
    case 'call':
      return evaluateCall(node, context);
    case 'apply':
      return evaluateUnknown(node.name, node.args, context);
    case 'binder':
      return evaluateBinder(node, context, evaluate);
    default:
      return NOT_A_NUMBER;
  }
}

/** Terms below this share of the largest leave no trace in the 16 digits that a value is known by. */
const ABSORBED_SHARE = 1e-13;

function addAll(terms: Complex[], context: EvaluationContext): Complex {
  const largest = Math.max(...terms.map(magnitude));
  for (const term of terms) {
    const size = magnitude(term);
    if (size !== 0 && size < largest * ABSORBED_SHARE) context.flags.absorbed = true;
  }
  return terms.reduce(addComplex);
}

function evaluateSymbol(name: string, context: EvaluationContext): Complex {
  const bound = context.bound.get(name);
  if (bound !== undefined) return bound;
  if (name === 'e') return real(E);
  if (name === 'pi') return real(PI);
  if (name === 'i') return IMAGINARY;
  return sampleVariable(name, context.point);
}

function evaluatePowerNode(node: PowerNode, context: EvaluationContext): Complex {
  const { base, exponent } = node;
  // (√x)² is x for every x, also where the root alone depends on a branch.
  if (
    base.kind === 'call' &&
    base.name === 'root' &&
    exponent.kind === 'number' &&
    exponent.value.den === 1n
  ) {
    const [radicand, degree] = base.args;
    if (
      radicand !== undefined &&
      degree?.kind === 'number' &&
      degree.value.den === 1n &&
      degree.value.num > 0n
    ) {
      const quotient = exponent.value.num / degree.value.num;
      if (quotient * degree.value.num === exponent.value.num) {
        const whole: Node = { kind: 'number', value: { num: quotient, den: 1n }, decimals: 0 };
        return evaluatePower(evaluate(radicand, context), evaluate(whole, context), whole, context);
      }
    }
  }
  if (base.kind === 'symbol' && base.name === 'e' && exponent.kind === 'call' && exponent.name === 'ln') {
    const [item] = exponent.args;
    if (item !== undefined && exponent.args.length === 1) return evaluate(item, context);
  }
  return evaluatePower(evaluate(base, context), evaluate(exponent, context), exponent, context);
}

function evaluateCall(node: CallNode, context: EvaluationContext): Complex {
  const args = node.args.map((arg) => evaluate(arg, context));
  if (!args.every(isFiniteValue) || !spend(context.budget, COSTLY[node.name] ?? 3)) return NOT_A_NUMBER;
  return evaluateFunction(node, args, context) ?? evaluateUnknown(node.name, node.args, context);
}

function evaluateUnknown(name: string, args: Node[], context: EvaluationContext): Complex {
  // Unknown values differ between points even where the arguments do not: f(1) < f(2) says nothing of f(3) < f(4).
  let label = `${name}@${context.point}(`;
  for (const arg of args) {
    const value = evaluate(arg, context);
    const text = describeValue(value);
    if (text === null) return NOT_A_NUMBER;
    label += `${text};`;
  }
  const value = oracleValue(label);
  return magnitude(value) > 0 ? value : NOT_A_NUMBER;
}
