import { childrenOf, type Node } from '../math/node.ts';
import { makeRational, type Rational, toNumber } from '../math/rational.ts';
import type { Complex } from './complex.ts';
import { evaluate } from './evaluate.ts';
import { evaluateExact } from './evaluate-exact.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Line, pointOn } from './line.ts';
import { type LineFraction, lineFraction } from './line-polynomial.ts';
import { realRoots } from './real-roots.ts';
import { type SignChange, scanSigns } from './scan-signs.ts';
import { hiddenSquares, hidesSquare } from './touches.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/** Steps for finding the roots of a polynomial. */
const ROOT_STEPS = 25;

/** The branch that each branching node has somewhere on a line. */
export type Taken = Map<Node, number>;

/** Where a factor changes its sign. */
export interface Changes {
  places: SignChange[];
  /** Whether they were found exactly, and none is missing. */
  exact: boolean;
  zero: boolean;
}

/** What there is to see along a line; what is asked twice on the same branches is looked up. */
export interface LineReader {
  at: (t: number, taken: Taken, keep: boolean) => EvaluationContext;
  /** Null where the budget is spent. */
  changes: (factor: Node, taken: Taken) => Changes | null;
  /** Where a root or logarithm turns since it is one of a square; null where that cannot be told. */
  squares: (own: Node, taken: Taken) => number[] | null;
}

/** `scans` says which factors are worth a search where they are no polynomials. */
export function readLine(
  line: Line,
  nodes: ReadonlySet<Node>,
  scans: (factor: Node) => boolean,
  budget: WorkBudget,
): LineReader {
  const at = (t: number, taken: Taken, keep: boolean): EvaluationContext => ({
    point: 0,
    bound: pointOn(line, t),
    budget,
    flags: { branched: false, absorbed: false },
    branches: { nodes, taken, keep },
  });
  const constant = (part: Node): Rational | null => {
    const value = evaluate(part, at(0, new Map(), false));
    return evaluateExact(part, budget) ?? (value.im === null ? fromDouble(value.re.high) : null);
  };
  const fraction = (part: Node, taken: Taken): LineFraction | null =>
    lineFraction(part, line, { nodes, taken, keep: true }, constant, budget);
  const value = (part: Node, taken: Taken, t: number): number =>
    budget.left > 0 ? realPart(evaluate(part, at(t, taken, true))) : Number.NaN;
  const readChanges = (factor: Node, taken: Taken): Changes | null => {
    if (!spend(budget, ROOT_STEPS)) return null;
    const read = fraction(factor, taken);
    if (read === null) {
      const places = scans(factor) ? scanSigns((t) => value(factor, taken, t)) : [];
      return { places, exact: false, zero: false };
    }
    const places = [read.top, read.bottom].flatMap((part) => realRoots(part.map(toNumber)).crossings);
    return {
      places: places.map((place) => ({ at: place, sure: true })),
      exact: true,
      zero: read.top.every((c) => c.num === 0n),
    };
  };
  const readSquares = (own: Node, taken: Taken): number[] | null => {
    if (!hidesSquare(own)) return [];
    if (!spend(budget, ROOT_STEPS)) return null;
    return hiddenSquares(own, {
      line,
      fraction: (part) => fraction(part, taken),
      value: (part, t) => value(part, taken, t),
    });
  };
  return { at, changes: remember(nodes, readChanges), squares: remember(nodes, readSquares) };
}

/** The same function, which looks up what it is asked again for a part on the same branches. */
function remember<T>(
  nodes: ReadonlySet<Node>,
  read: (part: Node, taken: Taken) => T,
): (part: Node, taken: Taken) => T {
  const known = new Map<Node, { inner: Node[]; found: Map<string, T> }>();
  return (part, taken) => {
    const entry = known.get(part) ?? { inner: within(part, nodes), found: new Map<string, T>() };
    known.set(part, entry);
    const branch = entry.inner.map((node) => taken.get(node) ?? '').join();
    const earlier = entry.found.get(branch);
    if (earlier !== undefined) return earlier;
    const found = read(part, taken);
    entry.found.set(branch, found);
    return found;
  };
}

function within(part: Node, nodes: ReadonlySet<Node>): Node[] {
  const inner = childrenOf(part).flatMap((child) => within(child, nodes));
  return nodes.has(part) ? [part, ...inner] : inner;
}

function realPart(value: Complex): number {
  return value.im === null ? value.re.high : Number.NaN;
}

function fromDouble(value: number): Rational | null {
  if (!Number.isFinite(value)) return null;
  let scaled = value;
  let den = 1n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    den *= 2n;
  }
  return makeRational(BigInt(scaled), den);
}
