import { childrenOf, type Node } from '../math/node.ts';
import {
  addRational,
  fromInteger,
  multiplyRational,
  negateRational,
  ONE,
  type Rational,
  ZERO,
} from '../math/rational.ts';
import type { Branches } from './branches.ts';
import type { Line } from './line.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/** An exact polynomial in the parameter of a line, the lowest power first. */
type Polynomial = readonly Rational[];

/** A quotient of two polynomials. */
export interface LineFraction {
  top: Polynomial;
  bottom: Polynomial;
}

const MAX_DEGREE = 8;
const UNIT: Polynomial = [ONE];

/** The value of a part that does not change along the line, as a fraction; null where it has none. */
type Constant = (node: Node) => Rational | null;

/**
 * An expression along a line as a quotient of polynomials, where it is one on the branches that its absolute values and
 * maxima take there; else null.
 */
export function lineFraction(
  node: Node,
  line: Line,
  branches: Branches,
  constant: Constant,
  budget: WorkBudget,
): LineFraction | null {
  if (!spend(budget, 1)) return null;
  const read = (child: Node): LineFraction | null => lineFraction(child, line, branches, constant, budget);
  switch (node.kind) {
    case 'number':
      return { top: [node.value], bottom: UNIT };
    case 'symbol': {
      const place = line.get(node.name);
      return place === undefined ? fixed(constant(node)) : { top: [place.offset, place.slope], bottom: UNIT };
    }
    case 'unit':
      return read(node.item);
    case 'percent':
      return quotient(read(node.item), { top: [fromInteger(100)], bottom: UNIT });
    case 'sequence':
      return node.items.length === 1 && node.items[0] !== undefined ? read(node.items[0]) : null;
    case 'negate':
      return scaled(read(node.item), -1);
    case 'add':
      return node.items.map(read).reduce(sum);
    case 'multiply':
      return node.items.map(read).reduce(product, { top: UNIT, bottom: UNIT });
    case 'divide':
      return quotient(read(node.top), read(node.bottom));
    case 'power':
      return node.exponent.kind === 'number' && node.exponent.value.den === 1n && moves(node.base, line)
        ? power(read(node.base), node.exponent.value.num)
        : unmoved(node, line, constant);
    case 'call':
      if (moves(node, line)) {
        const branch = branches.taken.get(node);
        const [first] = node.args;
        if (branch === undefined || first === undefined) return null;
        if (node.name === 'abs') return scaled(read(first), branch);
        if (node.name === 'sgn') return fixed(fromInteger(branch));
        const chosen = node.args[branch];
        return /^(?:max|min)$/.test(node.name) && chosen !== undefined ? read(chosen) : null;
      }
      return unmoved(node, line, constant);
    default:
      return unmoved(node, line, constant);
  }
}

/** Whether a value changes along the line. */
export function moves(node: Node, line: Line): boolean {
  if (node.kind === 'symbol') return (line.get(node.name)?.slope.num ?? 0n) !== 0n;
  return node.kind === 'apply' || childrenOf(node).some((child) => moves(child, line));
}

function unmoved(node: Node, line: Line, constant: Constant): LineFraction | null {
  return moves(node, line) ? null : fixed(constant(node));
}

function fixed(value: Rational | null): LineFraction | null {
  return value === null ? null : { top: [value], bottom: UNIT };
}

function scaled(a: LineFraction | null, factor: number): LineFraction | null {
  if (a === null) return null;
  return { top: factor < 0 ? a.top.map(negateRational) : a.top, bottom: a.bottom };
}

function sum(a: LineFraction | null, b: LineFraction | null): LineFraction | null {
  if (a === null || b === null) return null;
  if (a.bottom === UNIT && b.bottom === UNIT) return fraction(add(a.top, b.top), UNIT);
  return fraction(add(multiply(a.top, b.bottom), multiply(b.top, a.bottom)), multiply(a.bottom, b.bottom));
}

function product(a: LineFraction | null, b: LineFraction | null): LineFraction | null {
  return a === null || b === null
    ? null
    : fraction(
        multiply(a.top, b.top),
        a.bottom === UNIT && b.bottom === UNIT ? UNIT : multiply(a.bottom, b.bottom),
      );
}

function quotient(a: LineFraction | null, b: LineFraction | null): LineFraction | null {
  return b === null ? null : product(a, { top: b.bottom, bottom: b.top });
}

function power(a: LineFraction | null, exponent: bigint): LineFraction | null {
  const size = exponent < 0n ? -exponent : exponent;
  if (a === null || size > BigInt(MAX_DEGREE)) return null;
  let result: LineFraction | null = { top: UNIT, bottom: UNIT };
  for (let i = 0n; i < size; i += 1n) result = product(result, a);
  return exponent < 0n ? quotient({ top: UNIT, bottom: UNIT }, result) : result;
}

function fraction(top: Polynomial | null, bottom: Polynomial | null): LineFraction | null {
  return top === null || bottom === null ? null : { top, bottom };
}

function add(a: Polynomial | null, b: Polynomial | null): Polynomial | null {
  if (a === null || b === null) return null;
  const result: Rational[] = [];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const term = addRational(a[i] ?? ZERO, b[i] ?? ZERO);
    if (term === null) return null;
    result.push(term);
  }
  return result;
}

function multiply(a: Polynomial, b: Polynomial): Polynomial | null {
  if (a.length + b.length - 2 > MAX_DEGREE) return null;
  const result: Rational[] = Array.from({ length: a.length + b.length - 1 }, () => ZERO);
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) {
      const term = multiplyRational(x, y);
      const total = term === null ? null : addRational(result[i + j] ?? ZERO, term);
      if (total === null) return null;
      result[i + j] = total;
    }
  }
  return result;
}
