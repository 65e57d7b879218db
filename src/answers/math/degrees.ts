import { childrenOf, type Node, numberNode, withChildren } from './node.ts';

const TRIGONOMETRIC = new Set(['sin', 'cos', 'tan', 'cot', 'sec', 'csc']);

/** The argument of a trigonometric function with its degrees turned into radians; that of any other function as it is. */
export function angleArguments(name: string, args: Node[]): Node[] {
  return TRIGONOMETRIC.has(name) ? args.map(inRadians) : args;
}

/** Marks a number of degrees. After `\sin(30)` and `\sin 30` the sign belongs to the angle inside. */
export function inDegrees(node: Node): Node {
  return degreesInside(node) ?? { kind: 'unit', item: node, degrees: true };
}

function degreesInside(node: Node): Node | null {
  if (node.kind === 'call' && TRIGONOMETRIC.has(node.name)) {
    return hasRadians(node) ? null : { ...node, args: node.args.map(toRadians) };
  }
  if (node.kind === 'power') {
    const base = degreesInside(node.base);
    return base === null ? null : { ...node, base };
  }
  if (node.kind !== 'multiply') return null;
  const last = node.items.at(-1);
  const inside = last === undefined ? null : degreesInside(last);
  return inside === null ? null : { ...node, items: [...node.items.slice(0, -1), inside] };
}

/** A second sign after an angle that has one already is a mark of another kind. */
function hasRadians(node: Node): boolean {
  return node.kind === 'symbol' ? node.name === 'pi' : childrenOf(node).some(hasRadians);
}

function inRadians(node: Node): Node {
  if (node.kind === 'unit' && node.degrees === true) return toRadians(node.item);
  const children = childrenOf(node);
  return children.length === 0 ? node : withChildren(node, children.map(inRadians));
}

function toRadians(item: Node): Node {
  return {
    kind: 'divide',
    top: { kind: 'multiply', items: [item, { kind: 'symbol', name: 'pi' }] },
    bottom: numberNode(180),
  };
}
