import type { Chance } from './chance.ts';
import { type Expression, make } from './expression.ts';
import { fraction } from './fraction.ts';
import { SOILS } from './functions.ts';
import { grow, number } from './grow.ts';
import { mutate } from './mutate.ts';
import type { Pair } from './pair.ts';
import { print, STYLES, type Style } from './print.ts';
import { rewrite } from './rewrite.ts';
import { compareZeros, namesOf } from './verdict.ts';

const SIGNS: Readonly<Record<Style, Readonly<Record<string, string>>>> = {
  latex: { '<': '<', '>': '>', '<=': '\\le ', '>=': '\\ge ' },
  plain: { '<': '<', '>': '>', '<=': '<=', '>=': '>=' },
  unicode: { '<': '<', '>': '>', '<=': '≤', '>=': '≥' },
};
const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

interface Sides {
  left: Expression;
  right: Expression;
}

/** An equation of two variables beside the same one moved, scaled or turned round, or beside another. */
export function equationPair(chance: Chance): Pair | null {
  const sides = growSides(chance);
  if (sides === null) return null;
  const same = chance.once(2);
  const changed = move(same ? sides : mutateSides(sides, chance), chance.pick([-3, -1, 1, 2, 5]), chance);
  const turned = chance.once(2) ? { left: changed.right, right: changed.left } : changed;
  const verdict = compareZeros(difference(sides), difference(turned), false, chance);
  if (verdict === 'open' || (verdict === 'equal') !== same) return null;
  return { a: join(sides, '=', chance), b: join(turned, '=', chance), equal: same };
}

/** The same for inequalities, whose sign turns with a negative factor or with the sides. */
export function inequalityPair(chance: Chance): Pair | null {
  const sides = growSides(chance);
  if (sides === null) return null;
  const sign = chance.pick(Object.keys(FLIPPED));
  const same = chance.once(2);
  const factor = chance.pick([-2, 1, 3]);
  const changed = move(same || chance.once(2) ? sides : mutateSides(sides, chance), factor, chance);
  let other = factor < 0 ? (FLIPPED[sign] ?? sign) : sign;
  const kept = compareZeros(difference(sides), difference(changed), false, chance);
  if (kept === 'open' || (same && kept === 'different')) return null;
  // What has the same zeros differs by its sign: strict or not, or the other way round.
  if (!same && kept === 'equal') other = chance.pick(Object.keys(FLIPPED).filter((key) => key !== other));
  return { a: join(sides, sign, chance), b: join(changed, other, chance), equal: same };
}

/** An inequality of one variable beside the interval that solves it, or beside another. */
export function solvedPair(chance: Chance): Pair {
  const [slope, offset, end] = [chance.pick([-3, -2, 1, 2, 4]), chance.integer(-9, 9), chance.integer(-9, 9)];
  const sign = chance.pick(Object.keys(FLIPPED));
  const x: Expression = { kind: 'name', name: 'x' };
  const left = make('sum', make('product', number(slope), x), number(offset));
  const same = chance.once(2);
  const bound = end + (same || chance.once(2) ? 0 : 1);
  const changed =
    same || bound !== end ? sign : chance.pick(Object.keys(FLIPPED).filter((key) => key !== sign));
  const below = (changed === '<' || changed === '<=') === slope > 0;
  const closed = changed.endsWith('=');
  return {
    a: join({ left, right: number(slope * end + offset) }, sign, chance),
    b: below ? `(-\\infty, ${bound}${closed ? ']' : ')'}` : `${closed ? '[' : '('}${bound}, \\infty)`,
    equal: same,
  };
}

function growSides(chance: Chance): Sides | null {
  const soil = SOILS.polynomial;
  if (soil === undefined) return null;
  const left = make('sum', grow(soil, chance, 2), { kind: 'name', name: 'x' });
  const right = make('sum', grow(soil, chance, 2), { kind: 'name', name: 'y' });
  const sides = { left, right };
  return new Set(namesOf(difference(sides))).size === 2 ? sides : null;
}

function mutateSides({ left, right }: Sides, chance: Chance): Sides {
  return chance.once(2)
    ? { left: mutate(left, ['x', 'y'], chance), right }
    : { left, right: mutate(right, ['x', 'y'], chance) };
}

/** Both sides times a number, and a term added to both. */
function move({ left, right }: Sides, factor: number, chance: Chance): Sides {
  const term: Expression = { kind: 'number', value: fraction(chance.integer(-5, 5)) };
  const side = (own: Expression): Expression =>
    make('sum', make('product', number(factor), rewrite(own, chance)), term);
  return { left: side(left), right: side(right) };
}

function difference({ left, right }: Sides): Expression {
  return make('sum', left, make('opposite', right));
}

function join({ left, right }: Sides, sign: string, chance: Chance): string {
  const style = chance.pick(STYLES);
  return `${print(left, style, chance)} ${SIGNS[style][sign] ?? sign} ${print(right, style, chance)}`;
}
