import type { Rational } from './rational.ts';

/** The parsed answer. Text that does not parse whole has no node. */
export type Node =
  | NumberNode
  | { kind: 'symbol'; name: string }
  | { kind: 'infinity' }
  | { kind: 'add'; items: Node[] }
  | { kind: 'multiply'; items: Node[] }
  | { kind: 'divide'; top: Node; bottom: Node }
  | { kind: 'negate'; item: Node }
  | PowerNode
  | CallNode
  | { kind: 'apply'; name: string; args: Node[] }
  | { kind: 'plusMinus'; item: Node; opposite: boolean }
  | BinderNode
  | { kind: 'matrix'; rows: Node[][] }
  | SequenceNode
  | RelationNode
  | { kind: 'setOperation'; operator: string; left: Node; right: Node }
  | { kind: 'set'; name: string }
  | { kind: 'setBuilder'; variable: Node; condition: Node }
  | { kind: 'text'; text: string }
  | { kind: 'percent'; item: Node }
  | UnitNode
  | LabelledNode
  | { kind: 'based'; digits: string; base: string }
  | { kind: 'ratio'; parts: Node[] }
  | { kind: 'dots' }
  | { kind: 'cases'; rows: Node[][] };

export interface NumberNode {
  kind: 'number';
  value: Rational;
  /** Decimals as written; 0 for an integer or a repeating decimal. */
  decimals: number;
}

export interface PowerNode {
  kind: 'power';
  base: Node;
  exponent: Node;
}

/** A number with a unit or other words that leave it alone; the words tell the numbers of a list apart. */
export interface UnitNode {
  kind: 'unit';
  item: Node;
  label?: string;
  /** Set where the unit is the degree of an angle. */
  degrees?: boolean;
}

/** A number with words that may change what it means, folded. `noun` says that they are no more than an unknown noun. */
export interface LabelledNode {
  kind: 'labelled';
  item: Node;
  label: string;
  noun: boolean;
}

/** A function that the engine knows how to evaluate; `apply` is one that it does not. */
export interface CallNode {
  kind: 'call';
  name: string;
  args: Node[];
}

/** A sum, product, integral or limit, with the variable that it binds. */
export interface BinderNode {
  kind: 'binder';
  name: string;
  variable: string;
  lower: Node | null;
  upper: Node | null;
  body: Node;
}

export interface SequenceNode {
  kind: 'sequence';
  /** `(`, `[`, `{` or '' for a bare list. */
  open: string;
  close: string;
  items: Node[];
  /** How a bare list is joined: by a comma unless it says `and` or `or`. */
  joiner: ',' | 'and' | 'or';
}

export interface RelationNode {
  kind: 'relation';
  /** `operators[i]` stands between `parts[i]` and `parts[i + 1]`. */
  operators: string[];
  parts: Node[];
}

export function numberNode(value: bigint | number): NumberNode {
  return { kind: 'number', value: { num: BigInt(value), den: 1n }, decimals: 0 };
}

export function multiplyNodes(items: Node[]): Node {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: 'multiply', items };
}

/** The nodes directly below a node, in a fixed order. */
export function childrenOf(node: Node): Node[] {
  switch (node.kind) {
    case 'add':
    case 'multiply':
    case 'sequence':
      return node.items;
    case 'divide':
      return [node.top, node.bottom];
    case 'negate':
    case 'plusMinus':
    case 'percent':
    case 'unit':
    case 'labelled':
      return [node.item];
    case 'power':
      return [node.base, node.exponent];
    case 'call':
    case 'apply':
      return node.args;
    case 'binder':
      return [node.lower, node.upper, node.body].filter((child) => child !== null);
    case 'matrix':
    case 'cases':
      return node.rows.flat();
    case 'relation':
    case 'ratio':
      return node.parts;
    case 'setOperation':
      return [node.left, node.right];
    case 'setBuilder':
      return [node.variable, node.condition];
    default:
      return [];
  }
}

/** The same node over other children, given in the order of `childrenOf`. */
export function withChildren(node: Node, children: Node[]): Node {
  const [first, second] = children;
  switch (node.kind) {
    case 'add':
    case 'multiply':
    case 'sequence':
      return { ...node, items: children };
    case 'divide':
      return first && second ? { kind: 'divide', top: first, bottom: second } : node;
    case 'negate':
    case 'plusMinus':
    case 'percent':
    case 'unit':
    case 'labelled':
      return first ? { ...node, item: first } : node;
    case 'power':
      return first && second ? { kind: 'power', base: first, exponent: second } : node;
    case 'call':
    case 'apply':
      return { ...node, args: children };
    case 'binder': {
      const rest = [...children];
      const lower = node.lower === null ? null : (rest.shift() ?? null);
      const upper = node.upper === null ? null : (rest.shift() ?? null);
      return { ...node, lower, upper, body: rest[0] ?? node.body };
    }
    case 'matrix':
    case 'cases': {
      let at = 0;
      return { ...node, rows: node.rows.map((row) => row.map(() => children[at++] ?? numberNode(0))) };
    }
    case 'relation':
    case 'ratio':
      return { ...node, parts: children };
    case 'setOperation':
      return first && second ? { ...node, left: first, right: second } : node;
    case 'setBuilder':
      return first && second ? { ...node, variable: first, condition: second } : node;
    default:
      return node;
  }
}
