import type { CallNode, Node } from '../math/node.ts';
import { toNumber } from '../math/rational.ts';

/** What the values of a real expression lie between, as far as its form shows it. */
export type Range = readonly [low: number, high: number];

const ANY: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const NOT_NEGATIVE: Range = [0, Number.POSITIVE_INFINITY];

const QUARTER_TURN = 1.5;

const RANGES: Readonly<Record<string, Range>> = {
  sin: [-1, 1],
  cos: [-1, 1],
  tanh: [-1, 1],
  sgn: [-1, 1],
  atan: [-2, 2],
  acos: [0, 4],
  exp: NOT_NEGATIVE,
  cosh: [1, Number.POSITIVE_INFINITY],
};

/** The range of an expression where it is real. */
export function rangeOf(node: Node): Range {
  switch (node.kind) {
    case 'number': {
      const value = toNumber(node.value);
      return [value, value];
    }
    case 'symbol':
      return node.name === 'e' || node.name === 'pi' ? [2.7, 3.2] : ANY;
    case 'add':
      return node.items.map(rangeOf).reduce(sum);
    case 'negate': {
      const [low, high] = rangeOf(node.item);
      return [-high, -low];
    }
    case 'multiply':
      return node.items.map(rangeOf).reduce(product, [1, 1]);
    case 'divide':
      return product(rangeOf(node.top), inverse(rangeOf(node.bottom)));
    case 'sequence':
      return node.items.length === 1 && node.items[0] !== undefined ? rangeOf(node.items[0]) : ANY;
    case 'unit':
      return rangeOf(node.item);
    case 'power': {
      const { base, exponent } = node;
      const whole = exponent.kind === 'number' && exponent.value.den === 1n && exponent.value.num > 0n;
      const even = exponent.kind === 'number' && exponent.value.num % 2n === 0n;
      const range = rangeOf(base);
      if (!whole) return even || range[0] >= 0 ? NOT_NEGATIVE : ANY;
      const [low, high] = even ? size(range) : range;
      return [low ** toNumber(exponent.value), high ** toNumber(exponent.value)];
    }
    case 'call':
      return rangeOfCall(node);
    default:
      return ANY;
  }
}

/** Whether a node is a root of an even degree, under which squares may hide. */
export function isRoot(node: Node): node is CallNode {
  const degree = node.kind === 'call' && node.name === 'root' ? node.args[1] : undefined;
  return degree?.kind === 'number' && degree.value.den === 1n && degree.value.num % 2n === 0n;
}

function rangeOfCall(node: CallNode): Range {
  const ranges = node.args.map(rangeOf);
  const [first = ANY] = ranges;
  if (node.name === 'max' || node.name === 'min') {
    const pick = node.name === 'max' ? Math.max : Math.min;
    return [pick(...ranges.map(([low]) => low)), pick(...ranges.map(([, high]) => high))];
  }
  if (node.name === 'abs') return size(first);
  // Within a quarter turn a cosine is positive.
  if (node.name === 'cos' && size(first)[1] < QUARTER_TURN) return [Math.cos(QUARTER_TURN), 1];
  if (node.name === 'root') return isRoot(node) ? NOT_NEGATIVE : ANY;
  return Object.hasOwn(RANGES, node.name) ? (RANGES[node.name] ?? ANY) : ANY;
}

function size([low, high]: Range): Range {
  const nearest = low > 0 ? low : high < 0 ? -high : 0;
  return [nearest, Math.max(Math.abs(low), Math.abs(high))];
}

function sum([a, b]: Range, [c, d]: Range): Range {
  return [a + c, b + d];
}

function product([a, b]: Range, [c, d]: Range): Range {
  const ends = [a * c, a * d, b * c, b * d].map((end) => (Number.isNaN(end) ? 0 : end));
  return [Math.min(...ends), Math.max(...ends)];
}

/** Of what has one sign; the ends do not matter for anything else. */
function inverse([low, high]: Range): Range {
  if (low < 0 && high > 0) return ANY;
  return [1 / high, 1 / low].every((end) => !Number.isNaN(end)) && low !== 0 && high !== 0
    ? [1 / high, 1 / low]
    : low >= 0
      ? NOT_NEGATIVE
      : [Number.NEGATIVE_INFINITY, 0];
}
