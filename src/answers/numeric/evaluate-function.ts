import type { CallNode } from '../math/node.ts';
import { evaluateBranching } from './branches.ts';
import {
  absoluteComplex,
  addComplex,
  type Complex,
  divideComplex,
  isZero,
  multiplyComplex,
  NOT_A_NUMBER,
  negateComplex,
  ONE,
  real,
} from './complex.ts';
import { add, type DoubleDouble, fromNumber } from './double-double.ts';
import { LN10, PI } from './elementary.ts';
import { evaluateRoot } from './evaluate-power.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { asin, atan, exp, ln, sinCos, sinhCosh, sqrt } from './functions.ts';
import { gamma } from './gamma.ts';

const HALF_PI: Complex = real({ high: PI.high / 2, low: PI.low / 2 });
/** Stirling's series is less exact than the other functions. */
const GAMMA_UNIT = 2 ** -78;

/** A known function at evaluated arguments; null where the name is not known. */
export function evaluateFunction(
  node: CallNode,
  args: Complex[],
  context: EvaluationContext,
): Complex | null {
  const [a = NOT_A_NUMBER, b] = args;
  const branches = context.branches?.nodes.has(node) ? context.branches : undefined;
  if (branches !== undefined && node.name !== 'root') return evaluateBranching(node, args, branches);
  switch (node.name) {
    case 'root': {
      const root = evaluateRoot(a, b ?? real({ high: 2, low: 0 }, 0), context);
      return branches?.taken.get(node) === -1 ? negateComplex(root) : root;
    }
    case 'abs':
      return absoluteComplex(a);
    case 'exp':
      return exp(a);
    case 'ln':
      return logarithmOf(a, context);
    case 'log':
      return divideComplex(logarithmOf(a, context), b === undefined ? real(LN10) : logarithmOf(b, context));
    case 'floor':
    case 'ceil':
    case 'mod':
    case 'sgn':
      return stepFunction(node.name, a, b);
    case 'factorial':
      return gammaOf(addComplex(a, ONE));
    case 'binomial':
      return b === undefined ? NOT_A_NUMBER : binomial(a, b);
    case 'max':
      return args.some((value) => value.im !== null)
        ? NOT_A_NUMBER
        : args.reduce((x, y) => (x.re.high < y.re.high ? y : x));
    case 'min':
      return args.some((value) => value.im !== null)
        ? NOT_A_NUMBER
        : args.reduce((x, y) => (x.re.high > y.re.high ? y : x));
    default:
      return args.length === 1
        ? (trigonometric(node.name, a) ?? inverseFunction(node.name, a, context))
        : null;
  }
}

function logarithmOf(a: Complex, context: EvaluationContext): Complex {
  if (a.im === null && a.re.high < 0) context.flags.branched = true;
  return ln(a);
}

function trigonometric(name: string, a: Complex): Complex | null {
  switch (name) {
    case 'sin':
      return sinCos(a).sine;
    case 'cos':
      return sinCos(a).cosine;
    case 'tan':
      return divideComplex(sinCos(a).sine, sinCos(a).cosine);
    case 'cot':
      return divideComplex(sinCos(a).cosine, sinCos(a).sine);
    case 'sec':
      return divideComplex(ONE, sinCos(a).cosine);
    case 'csc':
      return divideComplex(ONE, sinCos(a).sine);
    case 'sinh':
      return sinhCosh(a).sinh;
    case 'cosh':
      return sinhCosh(a).cosh;
    case 'tanh':
      return divideComplex(sinhCosh(a).sinh, sinhCosh(a).cosh);
    case 'coth':
      return divideComplex(sinhCosh(a).cosh, sinhCosh(a).sinh);
    case 'sech':
      return divideComplex(ONE, sinhCosh(a).cosh);
    case 'csch':
      return divideComplex(ONE, sinhCosh(a).sinh);
    default:
      return null;
  }
}

function inverseFunction(name: string, a: Complex, context: EvaluationContext): Complex | null {
  const square = multiplyComplex(a, a);
  switch (name) {
    case 'asin':
      return arcSine(a, context);
    case 'acos':
      return addComplex(HALF_PI, negateComplex(arcSine(a, context)));
    case 'atan':
      return atan(a);
    case 'acot':
      return isZero(a) ? HALF_PI : atan(divideComplex(ONE, a));
    case 'asec':
      return addComplex(HALF_PI, negateComplex(arcSine(divideComplex(ONE, a), context)));
    case 'acsc':
      return arcSine(divideComplex(ONE, a), context);
    case 'asinh':
      return ln(addComplex(a, sqrt(addComplex(square, ONE))));
    case 'acosh':
      return ln(addComplex(a, sqrt(addComplex(square, negateComplex(ONE)))));
    case 'atanh': {
      const ratio = divideComplex(addComplex(ONE, a), addComplex(ONE, negateComplex(a)));
      return divideComplex(ln(ratio), real({ high: 2, low: 0 }, 0));
    }
    default:
      return null;
  }
}

/** Beyond [-1, 1] there is no value: the place is outside of the domain. */
function arcSine(a: Complex, context: EvaluationContext): Complex {
  if (Math.abs(a.re.high) > 1) context.flags.branched = true;
  return asin(a);
}

function gammaOf(a: Complex): Complex {
  if (a.im !== null) return NOT_A_NUMBER;
  const value = gamma(a.re);
  return real(value, Math.abs(value.high) * (GAMMA_UNIT + a.error * 10));
}

function binomial(n: Complex, k: Complex): Complex {
  const top = gammaOf(addComplex(n, ONE));
  const rest = gammaOf(addComplex(addComplex(n, negateComplex(k)), ONE));
  return divideComplex(top, multiplyComplex(gammaOf(addComplex(k, ONE)), rest));
}

function stepFunction(name: string, a: Complex, b: Complex | undefined): Complex {
  if (a.im !== null || (b !== undefined && b.im !== null)) return NOT_A_NUMBER;
  if (name === 'sgn') return real(fromNumber(Math.sign(a.re.high)), 0);
  if (name === 'floor') return real(floor(a.re), 0);
  if (name === 'ceil') return negateComplex(real(floor(negateComplex(a).re), 0));
  if (b === undefined) return NOT_A_NUMBER;
  const quotient = divideComplex(a, b);
  return addComplex(a, negateComplex(multiplyComplex(b, real(floor(quotient.re), 0))));
}

/** What lies within 10^-15 below an integer is that integer. */
function floor(a: DoubleDouble): DoubleDouble {
  const nudged = add(a, fromNumber(Math.max(1, Math.abs(a.high)) * 1e-15));
  const high = Math.floor(nudged.high);
  return fromNumber(high === nudged.high && nudged.low < 0 ? high - 1 : high);
}
