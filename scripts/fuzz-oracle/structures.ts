import type { Chance } from './chance.ts';
import type { Pair } from './pair.ts';

/** An interval beside itself in another spelling, or with another end or bracket. */
export function intervalPair(chance: Chance): Pair {
  const [low, high] = [chance.integer(-9, 3), chance.integer(4, 12)];
  // Without one closed end it would be a point of the plane as well.
  const [left, right] = chance.pick([
    ['[', ')'],
    ['(', ']'],
    ['[', ']'],
  ] as const);
  const a = `${left}${low}, ${high}${right}`;
  if (chance.once(2))
    return {
      a,
      b: `\\left${left} ${spell(low, chance)}, ${spell(high, chance)} \\right${right}`,
      equal: true,
    };
  const brackets = chance.once(2);
  const b = brackets
    ? `${left === '[' ? '(' : '['}${low}, ${high}${right}`
    : `${left}${low}, ${high + chance.pick([-1, 1])}${right}`;
  return { a, b, equal: false };
}

/** A tuple beside itself, or with two entries exchanged or one changed. */
export function tuplePair(chance: Chance): Pair {
  const items = distinctNumbers(chance, chance.integer(3, 5));
  const same = chance.once(2);
  const others = same ? items : disturb(items, chance);
  return {
    a: `(${items.join(', ')})`,
    b: `\\left(${others.map((item) => spell(item, chance)).join(',')}\\right)`,
    equal: same,
  };
}

/** A list or set beside itself in another order, or with another item or one less. */
export function listPair(chance: Chance): Pair {
  const items = distinctNumbers(chance, chance.integer(3, 6));
  const turned = [...items.slice(2), ...items.slice(0, 2)];
  const same = chance.once(2);
  const others = same
    ? turned
    : chance.once(2)
      ? turned.slice(1)
      : turned.map((item, i) => (i === 0 ? item + 40 : item));
  const spelled = others.map((item) => spell(item, chance)).join(', ');
  return { a: items.join(','), b: chance.once(2) ? `\\{${spelled}\\}` : spelled, equal: same };
}

/** A number as decimal, fraction, percentage or in scientific notation, beside the same or another. */
export function decimalPair(chance: Chance): Pair {
  const [units, places] = [chance.integer(1, 9999), chance.integer(1, 4)];
  const other = units + (chance.once(2) ? 0 : chance.pick([-1, 1, 10]));
  const scale = 10 ** places;
  const decimal = (units / scale).toFixed(places);
  const b = chance.pick([
    `\\frac{${other}}{${scale}}`,
    `${other} / ${scale}`,
    `${other} \\times 10^{-${places}}`,
    `${(other / scale).toFixed(places)}0`,
    `${(100 * other) / scale}\\%`,
  ]);
  const percent = /%$/.test(b);
  // A percentage is its fraction, and by another row of the contract the number before its sign.
  return { a: decimal, b, equal: other === units || (percent && (100 * other) / scale === units / scale) };
}

/** A quantity beside the bare number, or beside another. */
export function unitPair(chance: Chance): Pair {
  const value = chance.integer(2, 500);
  const other = value + (chance.once(2) ? 0 : chance.integer(1, 5));
  const unit = chance.pick([
    '\\text{ cm}',
    '\\mathrm{~kg}',
    ' km',
    '\\text{ m}^2',
    '^\\circ',
    ' dollars',
    '\\text{ km/h}',
  ]);
  return { a: `${value}${unit}`, b: String(other), equal: other === value };
}

function distinctNumbers(chance: Chance, count: number): number[] {
  const numbers = new Set<number>();
  while (numbers.size < count) numbers.add(chance.integer(-20, 20));
  return [...numbers];
}

function disturb(items: number[], chance: Chance): number[] {
  const [first = 0, second = 0, ...rest] = items;
  return chance.once(2) ? [second, first, ...rest] : [first + 1, second, ...rest];
}

/** A whole number, now and then as a computation. */
function spell(value: number, chance: Chance): string {
  return chance.pick([`${value}`, `${value}`, `\\frac{${2 * value}}{2}`, `${value}.0`]);
}
