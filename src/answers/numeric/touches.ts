import { type CallNode, childrenOf, type Node } from '../math/node.ts';
import { toNumber } from '../math/rational.ts';
import { freeSymbols, hasFreeNames } from './free-names.ts';
import { type Line, zerosOn } from './line.ts';
import { type LineFraction, moves } from './line-polynomial.ts';
import { isRoot, rangeOf } from './range.ts';
import { realRoots, type Touch } from './real-roots.ts';
import { scanFarTouches, scanTouches } from './scan-signs.ts';
import { turns } from './wide-samples.ts';

/** Zeros nearer than this to that of a variable are the same place. */
const SAME_PLACE = 1e-9;

/** Expressions that are no polynomials are searched along lines on which no more of their variables change. */
const MAX_SCANNED = 1;

/** How an expression is read along a line: as a fraction of polynomials, or where it is none by its values. */
export interface Reading {
  line: Line;
  fraction: (part: Node) => LineFraction | null;
  value: (part: Node, t: number) => number;
}

export function isLogarithm(node: Node): node is CallNode {
  return node.kind === 'call' && (node.name === 'ln' || node.name === 'log');
}

/** Whether an even root or logarithm may be one of a square, however it is spelled. */
export function hidesSquare(node: Node): node is CallNode {
  return (isRoot(node) || isLogarithm(node)) && node.args[0] !== undefined && mayTouch(node.args[0]);
}

/** Whether the form of an expression leaves it open that it is zero without a change of sign. */
export function mayTouch(node: Node): boolean {
  if (node.kind === 'power' || node.kind === 'call' || node.kind === 'apply') return hasFreeNames(node);
  const free = childrenOf(node).filter((child) => hasFreeNames(child));
  const products = node.kind === 'multiply' || node.kind === 'divide';
  return (products && free.length > 1) || free.some(mayTouch);
}

/**
 * Where an even root changes its branch, or a logarithm that of its turns, since what stands in it is the square of what
 * changes its sign; null where the root is none on both sides. Variables are positive in logarithms: their own zeros are
 * left out.
 */
export function hiddenSquares(node: CallNode, reading: Reading): number[] | null {
  const [inside, degree] = node.args;
  if (inside === undefined || !moves(inside, reading.line)) return [];
  const touches = touchesOf(inside, reading);
  if (isLogarithm(node)) {
    const zeros = zerosOn(reading.line);
    return touches
      .map((touch) => touch.at)
      .filter((at) => zeros.every((zero) => Math.abs(zero - at) > SAME_PLACE));
  }
  const n = degree?.kind === 'number' ? toNumber(degree.value) : 2;
  if (touches.some((touch) => touch.order % n !== 0)) return null;
  return touches.filter((touch) => (touch.order / n) % 2 !== 0).map((touch) => touch.at);
}

function touchesOf(inside: Node, reading: Reading): Touch[] {
  const fraction = reading.fraction(inside);
  if (fraction !== null)
    return [fraction.top, fraction.bottom].flatMap((part) => realRoots(part.map(toNumber)).touches);
  if (
    freeSymbols(inside).filter((name) => moves({ kind: 'symbol', name }, reading.line)).length > MAX_SCANNED
  )
    return [];
  const value = (t: number): number => reading.value(inside, t);
  const zeros =
    rangeOf(inside)[0] > 0 || isNeverZero(inside)
      ? []
      : [...scanTouches(value), ...(turns(inside) ? [] : scanFarTouches(value))];
  return mayHavePole(inside) ? [...zeros, ...scanTouches((t) => 1 / value(t))] : zeros;
}

/** Whether an expression is a product of powers of positive numbers. */
function isNeverZero(node: Node): boolean {
  if (node.kind === 'multiply') return node.items.every(isNeverZero);
  if (node.kind === 'divide') return isNeverZero(node.top) && isNeverZero(node.bottom);
  if (node.kind === 'power') return isNeverZero(node.base);
  return (node.kind === 'call' && node.name === 'exp') || rangeOf(node)[0] > 0;
}

function mayHavePole(node: Node): boolean {
  const negative =
    node.kind === 'power' && !(node.exponent.kind === 'number' && node.exponent.value.num > 0n);
  const own =
    node.kind === 'divide' || negative || (node.kind === 'call' && /^(?:tan|cot|sec|csc)$/.test(node.name));
  return (own && hasFreeNames(node)) || childrenOf(node).some(mayHavePole);
}
