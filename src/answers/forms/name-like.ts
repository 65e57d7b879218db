import type { Node } from '../math/node.ts';

/** Words that take back what an equation says. */
const UNSURE = /^\s*(?:not|never|no|neither|maybe|perhaps|possibly|unless|if|or|either)\b/i;
/** Functions of what is only named: `|AB|`, `\dim V`, `\text{Var}\,X`. */
const MEASURES = new Set(['abs', 'norm', 'dim', 'ker', 'det', 'Var', 'Pr']);
const CONSTANTS = new Set(['e', 'i', 'pi']);

/**
 * Whether a side of an equation only names a quantity, so that `name = value` answers with the value: `x`, `a_3`,
 * `f(x)`, `|AB|`, `\frac{NO}{BO}`, `S_1 : S`, `\frac{dy}{dx}`, words. A product of small letters is an expression.
 */
export function isNameLike(node: Node): boolean {
  switch (node.kind) {
    case 'symbol':
      return !CONSTANTS.has(node.name);
    case 'apply':
      return true;
    case 'text':
      return !UNSURE.test(node.text);
    case 'unit':
      return isNameLike(node.item);
    case 'call':
      return MEASURES.has(node.name) && node.args.every(isNameLike);
    case 'divide':
      return isQuantity(node.top) && isQuantity(node.bottom);
    case 'ratio':
      return node.parts.every(isQuantity);
    case 'multiply':
      return (
        node.items.length > 0 &&
        node.items.every((item) => item.kind === 'symbol' && /^[A-Z]/.test(item.name))
      );
    case 'sequence':
      return node.open === '(' && node.items.every(isNameLike);
    default:
      return false;
  }
}

function isQuantity(node: Node): boolean {
  if (node.kind === 'multiply') {
    const [first] = node.items;
    const differential = first?.kind === 'symbol' && first.name === 'd';
    if (differential) return node.items.every((item) => item.kind === 'symbol');
  }
  return isNameLike(node) || (node.kind === 'symbol' && node.name === 'd');
}

/** A name for what `isNameLike` accepts; the same for the same spelling. */
export function nameOf(node: Node): string {
  switch (node.kind) {
    case 'symbol':
      return node.name;
    case 'apply':
      return `${node.name}(${node.args.map(nameOf).join(',')})`;
    case 'text':
      return node.text.trim().toLowerCase();
    case 'number':
      return `${node.value.num}/${node.value.den}`;
    case 'unit':
    case 'negate':
      return `${node.kind}(${nameOf(node.item)})`;
    case 'call':
      return `${node.name}(${node.args.map(nameOf).join(',')})`;
    case 'divide':
      return `${nameOf(node.top)}/${nameOf(node.bottom)}`;
    case 'ratio':
      return node.parts.map(nameOf).join(':');
    case 'multiply':
    case 'add':
    case 'sequence':
      return node.items.map(nameOf).join(node.kind === 'add' ? '+' : '*');
    case 'power':
      return `${nameOf(node.base)}^${nameOf(node.exponent)}`;
    default:
      return node.kind;
  }
}
