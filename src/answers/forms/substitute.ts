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

/** The expression with every occurrence of a part replaced by a variable, so that `f(x)` can be solved for. */
export function replacePart(node: Node, matches: (part: Node) => boolean, variable: string): Node {
  if (matches(node)) return { kind: 'symbol', name: variable };
  const children = childrenOf(node);
  if (children.length === 0) return node;
  return withChildren(
    node,
    children.map((child) => replacePart(child, matches, variable)),
  );
}
