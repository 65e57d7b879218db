import { type CallNode, childrenOf, type Node } from '../math/node.ts';
import { makeRational, type Rational, toNumber } from '../math/rational.ts';
import type { Complex } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { evaluate } from './evaluate.ts';
import { evaluateExact } from './evaluate-exact.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Line, pointOn } from './line.ts';
import { type LineFraction, lineFraction } from './line-polynomial.ts';
import { isRoot } from './range.ts';
import { realRoots } from './real-roots.ts';
import { hashName } from './sample-points.ts';
import { scanSigns } from './scan-signs.ts';
import type { Switch } from './sign-factors.ts';
import { withoutTurns } from './turns.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/** The distinct smooth pieces along a line, by their values, and the places where they meet. */
export interface LinePieces {
  values: Array<Complex | null>;
  breaks: string[];
}

/** What the lines show of the factors: a change of sign, or only that no samples of it have one. */
export interface Sightings {
  seen: Set<Node>;
  unsure: Set<Node>;
}

const MAX_CUTS = 24;
/** Steps for reading a polynomial and finding its roots. */
const ROOT_STEPS = 25;

/** The smooth pieces of an expression along a line; null where they cannot be told. */
export function followLine(
  node: Node,
  switches: readonly Switch[],
  line: Line,
  sightings: Sightings,
  budget: WorkBudget,
): LinePieces | null {
  const places = placesOn(line);
  const nodes = new Set<Node>(
    switches.filter((entry) => entry.branching || isRoot(entry.node)).map((entry) => entry.node),
  );
  const at = (t: number, taken: Map<Node, number>, keep: boolean): EvaluationContext => ({
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
  const reader =
    (taken: Map<Node, number>) =>
    (part: Node): LineFraction | null =>
      lineFraction(part, line, { nodes, taken, keep: true }, constant, budget);
  const breaks = (entry: Switch): boolean =>
    entry.branching || (isRoot(entry.node) && squareRoots(entry.node, reader(new Map()))?.length !== 0);
  if (!switches.some(breaks)) return { values: [], breaks: [] };
  let cuts: number[] = [];
  for (const { node: own, factors } of switches) {
    const fresh: number[] = [];
    for (const [low, high] of gaps(cuts)) {
      const taken = new Map<Node, number>();
      for (const part of childrenOf(own)) evaluate(part, at(inside(low, high), taken, false));
      if (isRoot(own)) {
        if (!spend(budget, ROOT_STEPS)) return null;
        const found = squareRoots(own, reader(taken));
        if (found === null) return null;
        fresh.push(...found.filter((t) => t > low && t < high));
      }
      for (const factor of factors) {
        if (!spend(budget, ROOT_STEPS)) return null;
        const fraction = reader(taken)(factor);
        const roots =
          fraction === null
            ? scanSigns((t) => realPart(evaluate(factor, at(t, taken, true))), low, high)
            : crossings(fraction).map((t) => ({ at: t, sure: true }));
        const nothing = fraction?.top.every((c) => c.num === 0n) === true;
        if (nothing || roots.some((root) => root.sure && root.at >= low && root.at <= high))
          sightings.seen.add(factor);
        if (fraction === null) sightings.unsure.add(factor);
        fresh.push(...roots.map((root) => root.at).filter((t) => t > low && t < high));
      }
    }
    cuts = [...new Set([...cuts, ...fresh])].sort((a, b) => a - b);
    if (cuts.length > MAX_CUTS) return null;
  }
  return collectPieces(cuts, (t) => {
    const taken = new Map<Node, number>();
    const here = at(t, taken, false);
    for (const entry of switches) evaluate(entry.node, here);
    if (here.flags.branched) return 'outside';
    const touches = switches.map((entry) =>
      isRoot(entry.node) ? squareRoots(entry.node, reader(taken)) : [],
    );
    const values = places.map((place) => {
      for (const [i, entry] of switches.entries()) {
        if (isRoot(entry.node))
          taken.set(entry.node, sideOf(touches[i] ?? [], t) * sideOf(touches[i] ?? [], place));
      }
      const context = at(place, taken, true);
      const computed = evaluate(node, context);
      const value = context.flags.branched ? withoutTurns(computed) : computed;
      return context.flags.absorbed || describeValue(value) === null ? null : value;
    });
    return values.includes(null) ? null : values;
  });
}

/** Two places that depend on the names of the line's variables. */
function placesOn(line: Line): number[] {
  const names = [...line].map(([name, { slope }]) => `${name}${slope.num}`).join();
  return [21, 22].map((seed) => 0.5 + (hashName(names, seed) % 1024) / 1024 + seed / 8192);
}

/** The values of each interval in turn, where it is in the domain and does not only continue the one before. */
function collectPieces(
  cuts: readonly number[],
  valuesAt: (t: number) => Array<Complex | null> | 'outside' | null,
): LinePieces | null {
  const pieces: LinePieces = { values: [], breaks: [] };
  let last: string | null = null;
  for (const [low, high] of gaps(cuts)) {
    const values = valuesAt(inside(low, high));
    if (values === null) return null;
    if (values === 'outside') continue;
    const text = values.map((value) => (value === null ? '*' : describeValue(value))).join(';');
    if (text === last) continue;
    if (last !== null) pieces.breaks.push(Math.abs(low) < 1e-9 ? '0' : low.toPrecision(9));
    pieces.values.push(...values);
    last = text;
  }
  return last === null ? null : pieces;
}

function gaps(cuts: readonly number[]): Array<readonly [low: number, high: number]> {
  const ends = [Number.NEGATIVE_INFINITY, ...cuts, Number.POSITIVE_INFINITY];
  return ends.slice(1).map((high, i) => [ends[i] ?? high, high] as const);
}

/** A place between two cuts. */
function inside(low: number, high: number): number {
  if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
  if (Number.isFinite(high)) return high - 0.61 - Math.abs(high) / 16;
  return Number.isFinite(low) ? low + 0.61 + Math.abs(low) / 16 : 0.61;
}

function crossings({ top, bottom }: LineFraction): number[] {
  return [top, bottom].flatMap((part) => realRoots(part.map(toNumber)).crossings);
}

/** Where a square root changes its branch, since what stands under it is the square of what changes its sign; null for other roots. */
function squareRoots(node: CallNode, read: (part: Node) => LineFraction | null): number[] | null {
  const [radicand, degree] = node.args;
  const fraction = radicand === undefined ? null : read(radicand);
  if (fraction === null) return [];
  const found = [fraction.top, fraction.bottom].flatMap((part) => realRoots(part.map(toNumber)).touches);
  return found.length === 0 || (degree?.kind === 'number' && degree.value.num === 2n) ? found : null;
}

function sideOf(touches: readonly number[], t: number): number {
  return touches.filter((touch) => touch > t).length % 2 === 0 ? 1 : -1;
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
