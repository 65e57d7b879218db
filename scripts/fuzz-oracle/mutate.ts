import type { Chance } from './chance.ts';
import { changeNode, type Expression, make, partsOf, raise, sizeOf } from './expression.ts';
import { fraction, minus, plus } from './fraction.ts';

/** A tree that differs from another in one meaningful token. */
export function mutate(tree: Expression, names: readonly string[], chance: Chance): Expression {
  return changeNode(tree, chance.integer(0, sizeOf(tree) - 1), (node) => otherValue(node, names, chance));
}

function otherValue(node: Expression, names: readonly string[], chance: Chance): Expression {
  const [a, b] = partsOf(node);
  switch (node.kind) {
    case 'number': {
      const step = fraction(chance.pick([-1, 1, 1, 10]));
      return { kind: 'number', value: chance.once(4) ? minus(node.value) : plus(node.value, step) };
    }
    case 'name':
      return names.length > 1 && !chance.once(3)
        ? { kind: 'name', name: chance.pick(names.filter((name) => name !== node.name)) }
        : make('opposite', node);
    case 'sum':
      return make('product', ...node.parts);
    case 'product':
      return make('sum', ...node.parts);
    case 'quotient':
      return a === undefined || b === undefined ? node : make('quotient', b, a);
    case 'power':
      return a === undefined ? node : raise(a, node.exponent + 1);
    case 'max':
    case 'min':
      return chance.pick([make(node.kind === 'max' ? 'min' : 'max', ...node.parts), ...node.parts]);
    case 'floor':
    case 'ceil':
      return make(node.kind === 'floor' ? 'ceil' : 'floor', ...node.parts);
    case 'sin':
    case 'cos':
      return make(node.kind === 'sin' ? 'cos' : 'sin', ...node.parts);
    default:
      // Without its function; an opposite without its sign.
      return a === undefined ? node : chance.pick([a, make('opposite', a)]);
  }
}
