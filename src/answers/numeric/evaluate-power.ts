import type { Node } from '../math/node.ts';
import { type Complex, isFiniteValue, isZero, NOT_A_NUMBER, negateComplex, real } from './complex.ts';
import { absolute } from './double-double.ts';
import { evaluateExact } from './evaluate-exact.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { power, rootOfPositive } from './functions.ts';

/** A power; a negative base to p/q with odd q takes the real root, any other fraction the principal value. */
export function evaluatePower(
  base: Complex,
  exponent: Complex,
  node: Node,
  context: EvaluationContext,
): Complex {
  if (!isFiniteValue(base) || !isFiniteValue(exponent)) return NOT_A_NUMBER;
  if (base.im !== null || base.re.high >= 0 || isZero(base)) return power(base, exponent);
  if (exponent.im === null && exponent.re.low === 0 && Number.isInteger(exponent.re.high))
    return power(base, exponent);
  const fraction = evaluateExact(node, context.budget);
  if (fraction !== null && fraction.den % 2n === 1n && fraction.den < 1000n) {
    const size = power({ re: absolute(base.re), im: null, error: base.error }, exponent);
    return fraction.num % 2n === 0n ? size : negateComplex(size);
  }
  context.flags.branched = true;
  return power(base, exponent);
}

/** The n-th root of a value, by the same rules. */
export function evaluateRoot(a: Complex, degree: Complex, context: EvaluationContext): Complex {
  const n = degree.re.high;
  const whole = degree.im === null && degree.re.low === 0 && Number.isInteger(n) && n >= 1 && n <= 1000;
  if (isZero(degree)) return NOT_A_NUMBER;
  if (!whole || a.im !== null) return power(a, power(degree, real({ high: -1, low: 0 }, 0)));
  if (a.re.high >= 0) return isZero(a) ? a : rootOfPositive(a, n);
  if (n % 2 === 1) return negateComplex(rootOfPositive(negateComplex(a), n));
  context.flags.branched = true;
  if (n === 2) return rootOfPositive(a, 2);
  return power(a, power(degree, real({ high: -1, low: 0 }, 0)));
}
