import { childrenOf, type Node, withChildren } from '../math/node.ts';

/** Signs beyond this many in one expression are left alone. */
const MAX_SIGNS = 4;

/** Every reading of an expression with ±; ∓ has the sign opposite to the first ±. The expression itself if it has none. */
export function expandPlusMinus(node: Node): Node[] {
  const count = countSigns(node, false);
  const opposite = countSigns(node, true);
  if (count + opposite === 0 || count > MAX_SIGNS) return [node];
  const independent = opposite > 0 ? 1 : count;
  const variants: Node[] = [];
  for (let mask = 0; mask < 2 ** independent; mask += 1)
    variants.push(choose(node, mask, { used: 0 }, opposite > 0));
  return variants;
}

export function hasPlusMinus(node: Node): boolean {
  return node.kind === 'plusMinus' || childrenOf(node).some(hasPlusMinus);
}

function countSigns(node: Node, opposite: boolean): number {
  const own = node.kind === 'plusMinus' && node.opposite === opposite ? 1 : 0;
  return childrenOf(node).reduce((sum, child) => sum + countSigns(child, opposite), own);
}

function choose(node: Node, mask: number, state: { used: number }, coupled: boolean): Node {
  if (node.kind !== 'plusMinus') {
    const children = childrenOf(node);
    return children.length === 0
      ? node
      : withChildren(
          node,
          children.map((child) => choose(child, mask, state, coupled)),
        );
  }
  const bit = coupled ? 0 : state.used;
  state.used += 1;
  const negative = ((mask >> bit) & 1) === (node.opposite ? 0 : 1);
  const item = choose(node.item, mask, state, coupled);
  return negative ? { kind: 'negate', item } : item;
}
