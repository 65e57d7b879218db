import { childrenOf, multiplyNodes, type Node, numberNode, withChildren } from '../math/node.ts';

/** Matrices of more entries than this are not multiplied out. */
const MAX_ENTRIES = 64;
const MAX_DETERMINANT = 5;

type Matrix = Node[][];

function hasMatrix(node: Node): boolean {
  return node.kind === 'matrix' || childrenOf(node).some(hasMatrix);
}

/**
 * Carries out the sums, products, powers, transposes and determinants of matrices in an expression, leaving
 * expressions in the entries. What cannot be carried out stays as it is.
 */
export function expandMatrices(node: Node): Node {
  if (!hasMatrix(node) || node.kind === 'relation' || node.kind === 'sequence') return node;
  if (node.kind === 'matrix') return node;
  const children = childrenOf(node).map(expandMatrices);
  const expanded = withChildren(node, children);
  switch (expanded.kind) {
    case 'unit':
      return expanded.item;
    case 'negate':
      return expanded.item.kind === 'matrix' ? scaleMatrix(numberNode(-1), expanded.item.rows) : expanded;
    case 'add':
      return addMatrices(children) ?? expanded;
    case 'multiply':
      return multiplyMatrices(children) ?? expanded;
    case 'divide':
      return expanded.top.kind === 'matrix' && !hasMatrix(expanded.bottom)
        ? scaleMatrix({ kind: 'divide', top: numberNode(1), bottom: expanded.bottom }, expanded.top.rows)
        : expanded;
    case 'power':
      return powerMatrix(expanded.base, expanded.exponent) ?? expanded;
    case 'call':
      return callMatrix(expanded.name, children) ?? expanded;
    default:
      return expanded;
  }
}

function scaleMatrix(factor: Node, rows: Matrix): Node {
  return { kind: 'matrix', rows: rows.map((row) => row.map((entry) => multiplyNodes([factor, entry]))) };
}

function addMatrices(items: Node[]): Node | null {
  const [first, ...rest] = items;
  if (first?.kind !== 'matrix') return null;
  let sum = first.rows;
  for (const item of rest) {
    if (item.kind !== 'matrix' || item.rows.length !== sum.length) return null;
    const { rows } = item;
    if (rows.some((row, i) => row.length !== sum[i]?.length)) return null;
    sum = sum.map((row, i) =>
      row.map((entry, j) => ({ kind: 'add', items: [entry, rows[i]?.[j] ?? numberNode(0)] })),
    );
  }
  return { kind: 'matrix', rows: sum };
}

function multiplyMatrices(items: Node[]): Node | null {
  const scalars = items.filter((item) => !hasMatrix(item));
  const matrices = items.filter(hasMatrix);
  let product: Matrix | null = null;
  let last: Node | null = null;
  for (const item of matrices) {
    if (item.kind !== 'matrix') return null;
    const next: Node | null = product === null ? item : multiplyTwo(product, item.rows);
    if (next === null) return null;
    last = next;
    if (next.kind !== 'matrix') return matrices.at(-1) === item ? multiplyNodes([...scalars, next]) : null;
    product = next.rows;
  }
  if (product === null || last === null) return null;
  return scalars.length === 0 ? last : scaleMatrix(multiplyNodes(scalars), product);
}

/** The product, or for two columns their inner product. */
function multiplyTwo(a: Matrix, b: Matrix): Node | null {
  const inner = a[0]?.length ?? 0;
  const columns = b[0]?.length ?? 0;
  if (a.length * columns > MAX_ENTRIES || inner > MAX_ENTRIES) return null;
  if (inner === 1 && columns === 1 && a.length === b.length && a.length > 1)
    return innerProduct(a.flat(), b.flat());
  if (inner !== b.length) return null;
  const rows = a.map((row) =>
    Array.from({ length: columns }, (_, j) =>
      innerProduct(
        row,
        b.map((other) => other[j] ?? numberNode(0)),
      ),
    ),
  );
  return { kind: 'matrix', rows };
}

function innerProduct(a: Node[], b: Node[]): Node {
  return { kind: 'add', items: a.map((entry, i) => multiplyNodes([entry, b[i] ?? numberNode(0)])) };
}

function powerMatrix(base: Node, exponent: Node): Node | null {
  if (base.kind !== 'matrix' || exponent.kind !== 'number' || exponent.value.den !== 1n) return null;
  if (exponent.value.num < 1n || exponent.value.num > 4n) return null;
  return multiplyMatrices(Array.from({ length: Number(exponent.value.num) }, () => base));
}

function callMatrix(name: string, args: Node[]): Node | null {
  const [matrix] = args;
  if (matrix?.kind !== 'matrix') return null;
  const { rows } = matrix;
  if (name === 'transpose') {
    return {
      kind: 'matrix',
      rows: (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] ?? numberNode(0))),
    };
  }
  const square = rows.every((row) => row.length === rows.length);
  return name === 'det' && square && rows.length <= MAX_DETERMINANT ? determinant(rows) : null;
}

/** Expansion along the first row. */
function determinant(rows: Matrix): Node {
  const [first, ...rest] = rows;
  if (first === undefined) return numberNode(1);
  const terms = first.map((entry, j): Node => {
    const minor = determinant(rest.map((row) => row.filter((_, k) => k !== j)));
    const term = multiplyNodes([entry, minor]);
    return j % 2 === 0 ? term : { kind: 'negate', item: term };
  });
  return { kind: 'add', items: terms };
}
