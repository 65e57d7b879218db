import { childrenOf, type Node } from '../math/node.ts';

/** Whether the expression depends on a variable or an unknown function, so that it is no constant. */
export function hasFreeNames(node: Node, bound: readonly string[] = []): boolean {
  switch (node.kind) {
    case 'symbol':
      return !bound.includes(node.name) && node.name !== 'e' && node.name !== 'i' && node.name !== 'pi';
    case 'apply':
      return true;
    case 'binder': {
      const inner = node.name === 'antiderivative' ? bound : [...bound, node.variable];
      return childrenOf(node).some((child) => hasFreeNames(child, child === node.body ? inner : bound));
    }
    default:
      return childrenOf(node).some((child) => hasFreeNames(child, bound));
  }
}

/** The variables of an expression that a binder inside it does not bind, sorted. */
export function freeSymbols(node: Node): string[] {
  const names = new Set<string>();
  collect(node, [], names);
  return [...names].sort();
}

function collect(node: Node, bound: readonly string[], names: Set<string>): void {
  if (node.kind === 'symbol') {
    if (hasFreeNames(node, bound)) names.add(node.name);
    return;
  }
  const inner = node.kind === 'binder' && node.name !== 'antiderivative' ? [...bound, node.variable] : bound;
  for (const child of childrenOf(node)) collect(child, inner, names);
}
