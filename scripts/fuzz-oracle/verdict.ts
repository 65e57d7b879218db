import type { Chance } from './chance.ts';
import { exactValue, type Point, realValue } from './evaluate.ts';
import { type Expression, partsOf } from './expression.ts';
import { type Fraction, fraction, over, plus } from './fraction.ts';

/** Names of whole numbers, which the oracle gives no other values. */
const WHOLE_NAMES = new Set(['n', 'm', 'k']);
const POINTS = 60;
/** Fewer points than this where both have values decide nothing. */
const ENOUGH = 10;

export type Verdict = 'equal' | 'different' | 'open';

/** Whether two expressions are one function: compared exactly where they are rational, else in doubles with error bounds. */
export function compareFunctions(a: Expression, b: Expression, chance: Chance): Verdict {
  const names = [...new Set([...namesOf(a), ...namesOf(b)])];
  const marks = [...marksOf(a), ...marksOf(b)];
  let compared = 0;
  for (const point of points(names, marks, chance)) {
    const same = compareAt(a, b, point);
    if (same === false) return 'different';
    if (same === true) compared += 1;
    if (names.length === 0) break;
  }
  return compared >= ENOUGH || (names.length === 0 && compared > 0) ? 'equal' : 'open';
}

/** Whether one of two expressions is the other times a number, which is positive where `oriented`. */
export function compareZeros(a: Expression, b: Expression, oriented: boolean, chance: Chance): Verdict {
  const names = [...new Set([...namesOf(a), ...namesOf(b)])];
  let ratio: Fraction | null = null;
  for (const point of points(names, [...marksOf(a), ...marksOf(b)], chance)) {
    const [x, y] = [exactValue(a, point), exactValue(b, point)];
    if (x === null || y === null) continue;
    if ((x.top === 0n) !== (y.top === 0n)) return 'different';
    const here = over(x, y);
    if (here === null) continue;
    if (ratio !== null && (here.top !== ratio.top || here.bottom !== ratio.bottom)) return 'different';
    if (oriented && here.top < 0n) return 'different';
    ratio = here;
  }
  return ratio === null ? 'open' : 'equal';
}

/** True or false where both have values that decide it; null elsewhere. */
function compareAt(a: Expression, b: Expression, point: Point): boolean | null {
  const [x, y] = [exactValue(a, point), exactValue(b, point)];
  if (x !== null && y !== null) return x.top === y.top && x.bottom === y.bottom;
  const [p, q] = [realValue(a, point), realValue(b, point)];
  if (!Number.isFinite(p.value) || !Number.isFinite(q.value)) return null;
  const gap = Math.abs(p.value - q.value);
  const noise = p.error + q.error;
  const size = Math.max(Math.abs(p.value), Math.abs(q.value), 1e-9);
  if (gap <= 8 * noise) return noise < size * 1e-9 ? true : null;
  return gap > 1000 * noise && gap > size * 1e-9 ? false : null;
}

export function namesOf(node: Expression): string[] {
  return node.kind === 'name' ? [node.name] : partsOf(node).flatMap(namesOf);
}

/** The numbers in an expression, at whose ratios kinks lie. */
function marksOf(node: Expression): Fraction[] {
  return node.kind === 'number' ? [node.value] : partsOf(node).flatMap(marksOf);
}

/** Points with whole, broken, negative and large values, and some next to the numbers that the expressions hold. */
function* points(names: readonly string[], marks: readonly Fraction[], chance: Chance): Generator<Point> {
  for (let i = 0; i < POINTS; i += 1)
    yield new Map(
      names.map((name) => [name, WHOLE_NAMES.has(name) ? whole(i, marks, chance) : broken(i, marks, chance)]),
    );
}

function whole(i: number, marks: readonly Fraction[], chance: Chance): Fraction {
  if (i % 6 === 4) return fraction(chance.integer(1, 1_000_000));
  if (i % 6 === 5) {
    const mark = marks.length === 0 ? fraction(1) : chance.pick(marks);
    const near =
      chance.integer(1, 5) * Number(mark.bottom === 1n ? mark.top : mark.bottom) + chance.integer(-1, 1);
    return fraction(Math.max(1, Math.abs(near)));
  }
  return fraction(chance.integer(1, 40));
}

function broken(i: number, marks: readonly Fraction[], chance: Chance): Fraction {
  switch (i % 6) {
    case 0:
      return fraction(chance.integer(-20, 20));
    case 1:
      return fraction(chance.integer(-999, 999), 97);
    case 2:
      return fraction(chance.integer(1, 400), 89);
    case 3:
      return fraction(chance.integer(-1_000_000, 1_000_000), 7);
    default: {
      const [a, b] =
        marks.length === 0 ? [fraction(1), fraction(1)] : [chance.pick(marks), chance.pick(marks)];
      const mark = chance.integer(0, 1) === 0 ? a : (over(a, b) ?? a);
      const signed = chance.integer(0, 1) === 0 ? mark : { top: -mark.top, bottom: mark.bottom };
      return plus(signed, fraction(chance.integer(-9, 9), 131));
    }
  }
}
