import { type Expression, partsOf } from './expression.ts';
import { compare, type Fraction, floorOf, fraction, minus, over, plus, times, toDouble } from './fraction.ts';

export type Point = ReadonlyMap<string, Fraction>;

/** Numbers of more digits than this are left alone: no verdict needs them. */
const MAX_BITS = 4000n;
const ONE = fraction(1);
const ZERO = fraction(0);

/** The exact value at a point; null where it has none, or no rational one. */
export function exactValue(node: Expression, point: Point): Fraction | null {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'name') return point.get(node.name) ?? null;
  const values: Fraction[] = [];
  for (const part of partsOf(node)) {
    const value = exactValue(part, point);
    if (value === null || value.bottom >> MAX_BITS !== 0n) return null;
    values.push(value);
  }
  const [a = ZERO, b = ONE] = values;
  switch (node.kind) {
    case 'sum':
      return values.reduce(plus);
    case 'product':
      return values.reduce(times);
    case 'quotient':
      return over(a, b);
    case 'opposite':
      return minus(a);
    case 'power': {
      const size = Array.from({ length: Math.abs(node.exponent) }, () => a).reduce(times, ONE);
      return node.exponent < 0 ? over(ONE, size) : size;
    }
    case 'abs':
      return a.top < 0n ? minus(a) : a;
    case 'sgn':
      // A single point, where also |x|/x has no value.
      return a.top === 0n ? null : fraction(a.top < 0n ? -1 : 1);
    case 'max':
      return values.reduce((x, y) => (compare(x, y) < 0 ? y : x));
    case 'min':
      return values.reduce((x, y) => (compare(x, y) > 0 ? y : x));
    case 'floor':
      return floorOf(a);
    case 'ceil':
      return minus(floorOf(minus(a)));
    default:
      return null;
  }
}

/** A double with a bound of its own error; NaN where the expression has no real value. */
export interface Approximation {
  value: number;
  error: number;
}

const UNIT = 2 ** -52;

/** The real value at a point, in doubles that carry their error along. */
export function realValue(node: Expression, point: Point): Approximation {
  if (node.kind === 'number') return rounded(toDouble(node.value));
  if (node.kind === 'name') return rounded(toDouble(point.get(node.name) ?? ZERO));
  const parts = partsOf(node).map((part) => realValue(part, point));
  if (parts.some((part) => Number.isNaN(part.value))) return rounded(Number.NaN);
  const [a = rounded(0), b = rounded(1)] = parts;
  const { value: x, error } = a;
  switch (node.kind) {
    case 'sum':
      return parts.reduce((p, q) => rounded(p.value + q.value, p.error + q.error));
    case 'product':
      return parts.reduce(multiply);
    case 'quotient':
      return multiply(a, inverse(b));
    case 'opposite':
      return { value: -x, error };
    case 'power': {
      const size = Array.from({ length: Math.abs(node.exponent) }, () => a).reduce(multiply, rounded(1));
      return node.exponent < 0 ? inverse(size) : size;
    }
    case 'sqrt':
      return rounded(Math.sqrt(x), error / (2 * Math.sqrt(Math.max(x, error))));
    case 'abs':
      return { value: Math.abs(x), error };
    case 'sgn':
      return rounded(Math.abs(x) > error ? Math.sign(x) : Number.NaN);
    case 'max':
      return parts.reduce((p, q) => (p.value < q.value ? q : p));
    case 'min':
      return parts.reduce((p, q) => (p.value > q.value ? q : p));
    case 'sin':
      return rounded(Math.sin(x), error + UNIT);
    case 'cos':
      return rounded(Math.cos(x), error + UNIT);
    case 'tan':
      return multiply(rounded(Math.sin(x), error + UNIT), inverse(rounded(Math.cos(x), error + UNIT)));
    case 'exp':
      return rounded(Math.exp(x), Math.exp(x) * (error + UNIT));
    case 'ln':
      return rounded(Math.log(x), error / Math.abs(x));
    default:
      // Steps jump, so that a double says nothing next to them.
      return rounded(Number.NaN);
  }
}

function rounded(value: number, error = 0): Approximation {
  return { value, error: error + Math.abs(value) * 2 * UNIT };
}

function multiply(a: Approximation, b: Approximation): Approximation {
  const error = Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error;
  return rounded(a.value * b.value, error);
}

function inverse(a: Approximation): Approximation {
  if (Math.abs(a.value) <= a.error) return rounded(Number.NaN);
  return rounded(1 / a.value, a.error / (a.value * a.value));
}
