import type { Chance } from './chance.ts';
import { type Expression, make, type Operation, raise } from './expression.ts';
import { fraction } from './fraction.ts';

/** What the trees of a family are made of. */
export interface Soil {
  names: readonly string[];
  /** Inner nodes; one that stands more often comes up more often. */
  operations: ReadonlyArray<Operation | 'power'>;
  /** How deep the trees are at most. */
  depth: number;
  /** One number in so many is broken; 0 for none. */
  broken: number;
}

/** A random tree. */
export function grow(soil: Soil, chance: Chance, depth = soil.depth): Expression {
  if (depth === 0 || (depth < soil.depth && chance.once(4))) return leaf(soil, chance);
  const part = (): Expression => grow(soil, chance, depth - 1);
  const kind = chance.pick(soil.operations);
  switch (kind) {
    case 'power':
      return raise(part(), chance.integer(2, 3));
    case 'sum':
    case 'product':
      return make(kind, part(), part(), ...(chance.once(4) ? [part()] : []));
    case 'max':
    case 'min':
      return make(kind, part(), part());
    case 'quotient':
      return make(kind, part(), make('sum', part(), smallNumber(chance)));
    case 'floor':
    case 'ceil':
      return make(kind, make('quotient', linear(soil, chance), number(chance.integer(2, 7))));
    case 'sin':
    case 'cos':
    case 'tan':
    case 'exp':
    case 'ln':
      return make(kind, chance.once(3) ? part() : linear(soil, chance));
    case 'sqrt':
      return make(
        kind,
        soil.names.length === 0 || chance.once(2) ? number(chance.integer(2, 40)) : linear(soil, chance),
      );
    default:
      return make(kind, part());
  }
}

export function number(value: number): Expression {
  return { kind: 'number', value: fraction(value) };
}

function leaf(soil: Soil, chance: Chance): Expression {
  if (soil.names.length > 0 && !chance.once(3)) return { kind: 'name', name: chance.pick(soil.names) };
  if (soil.broken > 0 && chance.once(soil.broken))
    return { kind: 'number', value: fraction(chance.integer(-9, 9), chance.integer(2, 12)) };
  return smallNumber(chance);
}

function smallNumber(chance: Chance): Expression {
  const far = chance.once(8) ? 60 : 9;
  return number(chance.pick([1, 1, -1]) * chance.integer(1, far));
}

function linear(soil: Soil, chance: Chance): Expression {
  if (soil.names.length === 0) return smallNumber(chance);
  const name: Expression = { kind: 'name', name: chance.pick(soil.names) };
  return make('sum', make('product', number(chance.integer(1, 5)), name), smallNumber(chance));
}
