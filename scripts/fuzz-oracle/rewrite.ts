import type { Chance } from './chance.ts';
import { changeNode, type Expression, make, partsOf, raise, sizeOf } from './expression.ts';
import { number } from './grow.ts';

/** Rewrites a tree at a few places to another of the same value. */
export function rewrite(tree: Expression, chance: Chance): Expression {
  let result = tree;
  for (let i = chance.integer(1, 4); i > 0; i -= 1)
    result = changeNode(result, chance.integer(0, sizeOf(result) - 1), (node) => sameValue(node, chance));
  return result;
}

function sameValue(node: Expression, chance: Chance): Expression {
  const [a, b, ...rest] = partsOf(node);
  if (a === undefined) return sameLeaf(node, chance);
  switch (node.kind) {
    case 'sum':
    case 'product':
      if (b === undefined) return node;
      if (node.kind === 'product' && rest.length === 0 && b.kind === 'sum' && chance.once(2))
        return make('sum', ...b.parts.map((part) => make('product', a, part)));
      return make(node.kind, ...rest, b, a);
    case 'quotient':
      return b === undefined
        ? node
        : chance.once(2)
          ? make('product', a, make('quotient', number(1), b))
          : make('quotient', make('opposite', a), make('opposite', b));
    case 'opposite':
      return make('product', number(-1), a);
    case 'power':
      return node.exponent > 1 ? make('product', a, raise(a, node.exponent - 1)) : node;
    case 'abs':
      return chance.pick([
        make('abs', make('opposite', a)),
        make('max', a, make('opposite', a)),
        make('sqrt', raise(a, 2)),
      ]);
    case 'max':
    case 'min': {
      if (b === undefined) return node;
      if (chance.once(2)) return make(node.kind, b, a);
      const gap = make('abs', make('sum', a, make('opposite', b)));
      return make(
        'quotient',
        make('sum', a, b, node.kind === 'max' ? gap : make('opposite', gap)),
        number(2),
      );
    }
    case 'sgn':
      return make('opposite', make('sgn', make('opposite', a)));
    case 'floor':
    case 'ceil': {
      if (chance.once(2)) return make('sum', make(node.kind, make('sum', a, number(3))), number(-3));
      return make('opposite', make(node.kind === 'floor' ? 'ceil' : 'floor', make('opposite', a)));
    }
    case 'sin':
      return chance.once(2)
        ? make('opposite', make('sin', make('opposite', a)))
        : make('product', number(2), make('sin', half(a)), make('cos', half(a)));
    case 'cos':
      return chance.once(2)
        ? make('cos', make('opposite', a))
        : make('sum', number(1), make('product', number(-2), raise(make('sin', half(a)), 2)));
    case 'tan':
      return make('quotient', make('sin', a), make('cos', a));
    case 'exp':
      return make('product', make('exp', half(a)), make('exp', half(a)));
    case 'ln':
      return make('opposite', make('ln', make('quotient', number(1), a)));
    case 'sqrt':
      return make('quotient', make('sqrt', make('product', number(9), a)), number(3));
    default:
      return node;
  }
}

function sameLeaf(node: Expression, chance: Chance): Expression {
  const n = chance.integer(1, 9);
  return chance.pick([
    make('sum', make('sum', node, number(n)), number(-n)),
    make('opposite', make('opposite', node)),
    make('quotient', make('product', number(n), node), number(n)),
  ]);
}

function half(node: Expression): Expression {
  return make('quotient', node, number(2));
}
