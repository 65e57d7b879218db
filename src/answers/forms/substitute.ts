import { childrenOf, type Node, withChildren } from '../math/node.ts';

/** The expression with a variable replaced. */
export function substitute(node: Node, name: string, value: Node): Node {
  if (node.kind === 'symbol') return node.name === name ? value : node;
  const children = childrenOf(node);
  if (children.length === 0) return node;
  return withChildren(
    node,
    children.map((child) => substitute(child, name, value)),
  );
}
