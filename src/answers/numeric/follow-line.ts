import { childrenOf, type Node } from '../math/node.ts';
import { collectPieces, gaps, inside, type LinePieces } from './collect-pieces.ts';
import { type Complex, magnitude } from './complex.ts';
import { describeValue } from './describe-value.ts';
import { evaluate } from './evaluate.ts';
import type { Line } from './line.ts';
import { type LineReader, readLine, type Taken } from './line-reader.ts';
import { isRoot } from './range.ts';
import { hashName } from './sample-points.ts';
import type { Switch } from './sign-factors.ts';
import { isLogarithm } from './touches.ts';
import { withoutHalfTurns } from './turns.ts';
import type { WorkBudget } from './work-budget.ts';

/** What the lines show of the factors: a change of sign, or only that no samples of it have one. */
export interface Sightings {
  seen: Set<Node>;
  unsure: Set<Node>;
  /** The branches on which branching nodes were met in the domain. */
  taken: Map<Node, Set<number>>;
  /** Whether a part of some line is outside of the domain. */
  outside: boolean;
}

const MAX_CUTS = 24;
/** The argument of a logarithm is zero where it is a smaller share of what it is nearby; or the other way round, a pole. */
const FLAT = 1e-7;

/**
 * The smooth pieces of an expression along a line; null where they cannot be told. Along lines across the axes only what was
 * not seen to change its sign is searched for that, since a search takes long.
 */
export function followLine(
  node: Node,
  switches: readonly Switch[],
  line: Line,
  across: boolean,
  sightings: Sightings,
  budget: WorkBudget,
): LinePieces | null {
  const nodes = new Set<Node>(
    switches.filter((entry) => entry.branching || isRoot(entry.node)).map((entry) => entry.node),
  );
  const reader = readLine(line, nodes, (factor) => !across || !sightings.seen.has(factor), budget);
  if (!switches.some((entry) => entry.branching || reader.squares(entry.node, new Map())?.length !== 0))
    return { values: [], breaks: [] };
  const cuts = findCuts(switches, reader, sightings);
  if (cuts === null) return null;
  const firm = (low: number, near: number): boolean =>
    switches.some((entry) => isLogarithm(entry.node) && vanishes(entry.node.args[0], low, near, reader));
  const places = placesOn(line);
  return collectPieces(cuts, firm, (t) => {
    const taken: Taken = new Map();
    const here = reader.at(t, taken, false);
    for (const entry of switches) evaluate(entry.node, here);
    if (here.flags.branched) {
      sightings.outside = true;
      return 'outside';
    }
    for (const [own, branch] of taken)
      sightings.taken.set(own, (sightings.taken.get(own) ?? new Set()).add(branch));
    const roots = switches.flatMap((entry) => (isRoot(entry.node) ? [entry.node] : []));
    const squares = roots.map((root) => reader.squares(root, taken) ?? []);
    const values = places.map((place) => {
      for (const [i, root] of roots.entries())
        taken.set(root, sideOf(squares[i] ?? [], t) * sideOf(squares[i] ?? [], place));
      return pieceValue(node, taken, place, reader);
    });
    return values.includes(null) ? null : values;
  });
}

/** Where branches change, found from the inner nodes to the outer ones, whose arguments have branches themselves. */
function findCuts(switches: readonly Switch[], reader: LineReader, sightings: Sightings): number[] | null {
  let cuts: number[] = [];
  for (const { node: own, factors } of switches) {
    const fresh: number[] = [];
    for (const [low, high] of gaps(cuts)) {
      const taken: Taken = new Map();
      for (const part of childrenOf(own)) evaluate(part, reader.at(inside(low, high), taken, false));
      const squares = reader.squares(own, taken);
      if (squares === null) return null;
      fresh.push(...squares.filter((t) => t > low && t < high));
      for (const factor of factors) {
        const changes = reader.changes(factor, taken);
        if (changes === null) return null;
        if (changes.zero || changes.places.some(({ at, sure }) => sure && at >= low && at <= high))
          sightings.seen.add(factor);
        if (!changes.exact) sightings.unsure.add(factor);
        fresh.push(...changes.places.map(({ at }) => at).filter((t) => t > low && t < high));
      }
    }
    cuts = [...new Set([...cuts, ...fresh])].sort((a, b) => a - b);
    if (cuts.length > MAX_CUTS) return null;
  }
  return cuts;
}

/** The value of a piece at a place to which it is continued; null where it has none. */
function pieceValue(node: Node, taken: Taken, place: number, reader: LineReader): Complex | null {
  const context = reader.at(place, taken, true);
  const computed = evaluate(node, context);
  const value = context.flags.branched ? withoutHalfTurns(computed) : computed;
  return context.flags.absorbed || describeValue(value) === null ? null : value;
}

/** Whether the argument of a logarithm is zero or has a pole at a cut. */
function vanishes(argument: Node | undefined, cut: number, near: number, reader: LineReader): boolean {
  if (argument === undefined) return false;
  const [there = 1, here = 1] = [cut, near].map((t) =>
    magnitude(evaluate(argument, reader.at(t, new Map(), false))),
  );
  return !(there > here * FLAT && here > there * FLAT);
}

/** Two places that depend on the names of the line's variables. */
function placesOn(line: Line): number[] {
  const names = [...line].map(([name, { slope }]) => `${name}${slope.num}`).join();
  return [21, 22].map((seed) => 0.5 + (hashName(names, seed) % 1024) / 1024 + seed / 8192);
}

function sideOf(touches: readonly number[], t: number): number {
  return touches.filter((touch) => touch > t).length % 2 === 0 ? 1 : -1;
}
