import type { Node } from '../math/node.ts';
import type { Rational } from '../math/rational.ts';
import { type Complex, isFiniteValue, magnitude } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { DD_ZERO } from './double-double.ts';
import { evaluate } from './evaluate.ts';
import { evaluateExact } from './evaluate-exact.ts';
import { evaluateModular } from './evaluate-modular.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { hasFreeNames } from './free-names.ts';
import { followPieces, type Pieces } from './piecewise.ts';
import { recogniseRational } from './recognise-rational.ts';
import { MIXED_POINTS, POSITIVE_POINTS } from './sample-points.ts';
import { ALL_STEPS_MET, hasSteps, sampleSteps } from './steps.ts';
import { withoutTurns } from './turns.ts';
import { foldsAngles, sampleWide } from './wide-samples.ts';
import { answerBudget, type WorkBudget } from './work-budget.ts';

const LARGE = 1e8;
const SMOOTH_POINTS = [...POSITIVE_POINTS, ...MIXED_POINTS];

/**
 * A number or expression, by the strongest identity that it has: an exact fraction; a complex number with exact
 * parts; an irrational constant; a function, by its values at the sample points (null where its value there
 * depends on a branch); a function in pieces, by those, with its values at the sample points; a number too large for
 * those, modulo a prime.
 */
export type Scalar =
  | { kind: 'exact'; value: Rational }
  | { kind: 'gaussian'; re: Rational; im: Rational }
  | { kind: 'constant'; value: Complex }
  | { kind: 'function'; values: Array<Complex | null> }
  | ({ kind: 'piecewise'; samples: Array<Complex | null> } & Pieces)
  | { kind: 'modular'; residues: string }
  | { kind: 'infinite'; negative: boolean };

/** Evaluates an expression; null where no layer can. */
export function evaluateScalar(node: Node, budget: WorkBudget = answerBudget()): Scalar | null {
  const infinite = readInfinity(node);
  if (infinite !== null) return infinite;
  const free = hasFreeNames(node);
  if (!free) {
    const exact = evaluateExact(node, budget);
    if (exact !== null) return { kind: 'exact', value: exact };
  }
  const pieces = free ? breakUp(node, budget) : 'smooth';
  if (pieces === null) return null;
  if (pieces !== 'smooth' && hasSteps(node)) return steppedScalar(pieces);
  const numeric = evaluateNumeric(node, free, budget);
  if (pieces !== 'smooth') {
    const samples = numeric?.kind === 'function' ? numeric.values : [];
    return { kind: 'piecewise', samples, ...pieces };
  }
  return numeric === null || isExtreme(numeric) ? (evaluateResidues(node, budget) ?? numeric) : numeric;
}

/**
 * The values of a function at the sample points, however large, or those of its pieces and where these meet; null for a
 * constant and where there are none.
 */
export function sampleFunction(node: Node): Pieces | null {
  const budget = answerBudget();
  const free = hasFreeNames(node);
  const pieces = free ? breakUp(node, budget) : null;
  if (pieces !== 'smooth') return pieces;
  const scalar = evaluateNumeric(node, free, budget);
  return scalar?.kind === 'function' ? { values: scalar.values, shape: '' } : null;
}

function breakUp(node: Node, budget: WorkBudget): Pieces | 'smooth' | null {
  if (hasSteps(node)) return sampleSteps(node, budget);
  const pieces = followPieces(node, budget);
  if (pieces === null || !foldsAngles(node)) return pieces;
  const wide = sampleWide(node, budget);
  if (wide === null) return null;
  return pieces === 'smooth'
    ? { values: wide, shape: 'wide' }
    : { values: [...pieces.values, ...wide], shape: `${pieces.shape}wide` };
}

/** Steps that cancel out at all points leave a constant, where those points meet every step. */
function steppedScalar(pieces: Pieces): Scalar | null {
  const names = new Set(pieces.values.map((value) => (value === null ? null : describeValue(value))));
  const [first] = pieces.values;
  if (names.size === 1 && first && pieces.shape === ALL_STEPS_MET) return constantScalar(first);
  return { kind: 'piecewise', samples: [], ...pieces };
}

/**
 * Whether a value is so large or small that a term of ordinary size would drown in its digits. It depends on the value
 * alone, so that all spellings of a rational expression are told apart modulo a prime, or none is.
 */
function isExtreme(scalar: Scalar): boolean {
  const values =
    scalar.kind === 'function' ? scalar.values : scalar.kind === 'constant' ? [scalar.value] : [];
  return values.some((value) => {
    const size = value === null ? 1 : magnitude(value);
    return size > LARGE || (size !== 0 && size < 1 / LARGE);
  });
}

function readInfinity(node: Node): Scalar | null {
  if (node.kind === 'infinity') return { kind: 'infinite', negative: false };
  if (node.kind === 'unit') return readInfinity(node.item);
  if (node.kind !== 'negate') return null;
  const inner = readInfinity(node.item);
  return inner?.kind === 'infinite' ? { kind: 'infinite', negative: !inner.negative } : null;
}

function evaluateNumeric(node: Node, free: boolean, budget: WorkBudget): Scalar | null {
  if (!free) {
    const context = newContext(0, budget);
    const value = evaluate(node, context);
    return describeValue(value) === null || context.flags.absorbed ? null : constantScalar(value);
  }
  const values: Array<Complex | null> = [];
  for (const point of SMOOTH_POINTS) {
    const context = newContext(point, budget);
    const computed = evaluate(node, context);
    const value = context.flags.branched ? withoutTurns(computed) : computed;
    if (context.flags.absorbed) return null;
    const known = describeValue(value) !== null;
    const optional = MIXED_POINTS.includes(point);
    if (!known && !optional) return null;
    values.push(known && !(optional && context.flags.branched) ? value : null);
  }
  const known = values.filter((value) => value !== null);
  const [first] = known;
  if (first === undefined || known.length < values.length / 2) return null;
  const same =
    known.length === values.length && known.every((value) => describeValue(value) === describeValue(first));
  return same ? constantScalar(first) : { kind: 'function', values };
}

function newContext(point: number, budget: WorkBudget): EvaluationContext {
  return { point, bound: new Map(), budget, flags: { branched: false, absorbed: false } };
}

function constantScalar(value: Complex): Scalar | null {
  if (!isFiniteValue(value)) return null;
  const re = recogniseRational(value.re, value.error);
  if (value.im === null) return re === null ? { kind: 'constant', value } : { kind: 'exact', value: re };
  const im = recogniseRational(value.im ?? DD_ZERO, value.error);
  return re === null || im === null ? { kind: 'constant', value } : { kind: 'gaussian', re, im };
}

function evaluateResidues(node: Node, budget: WorkBudget): Scalar | null {
  const first = evaluateModular(node, 0x1b873593cc9e2d51n, budget);
  const second = first === null ? null : evaluateModular(node, 0x2545f4914f6cdd1dn, budget);
  return second === null
    ? null
    : { kind: 'modular', residues: `${first?.toString(36)}.${second.toString(36)}` };
}
