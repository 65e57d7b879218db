import type { Node } from './node.ts';
import { accept, fail, inBrackets, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';

const MATRICES = new Set([
  'matrix',
  'pmatrix',
  'bmatrix',
  'Bmatrix',
  'vmatrix',
  'Vmatrix',
  'smallmatrix',
  'array',
]);
const ALIGNED = new Set(['aligned', 'align', 'gathered', 'gather', 'split', 'equation', 'alignedat']);

/** A matrix, a case distinction or aligned lines, after its `\begin` up to its `\end`. */
export function parseEnvironment(state: ParseState, name: string): Node {
  return inBrackets(state, () => {
    if (MATRICES.has(name)) {
      const matrix: Node = { kind: 'matrix', rows: readRows(state, name) };
      return name === 'vmatrix' ? { kind: 'call', name: 'det', args: [matrix] } : matrix;
    }
    if (name === 'cases' || name === 'rcases') {
      const rows = readRows(state, name);
      if (rows.every((row) => row.length === 1)) return bareList(rows.flat());
      return { kind: 'cases', rows };
    }
    if (ALIGNED.has(name)) return bareList(readRows(state, name).map(joinCells));
    return fail();
  });
}

function bareList(items: Node[]): Node {
  const [only] = items;
  return items.length === 1 && only !== undefined
    ? only
    : { kind: 'sequence', open: '', close: '', items, joiner: ',' };
}

/** `x &= 1` splits a relation at the alignment mark; that half-relation is not supported beyond one cell. */
function joinCells(row: Node[]): Node {
  const [only] = row;
  return row.length === 1 && only !== undefined ? only : fail();
}

function readRows(state: ParseState, name: string): Node[][] {
  const rows: Node[][] = [];
  let row: Node[] = [];
  for (;;) {
    if (isCommand(peek(state), `end:${name}`)) {
      state.at += 1;
      break;
    }
    row.push(readCell(state));
    while (accept(state, '&')) row.push(readCell(state));
    if (accept(state, 'row')) {
      rows.push(row);
      row = [];
      while (accept(state, 'row'));
    } else if (!isCommand(peek(state), `end:${name}`)) fail();
  }
  if (row.length > 0) rows.push(row);
  if (rows.length === 0) fail();
  return rows;
}

function readCell(state: ParseState): Node {
  const cell = state.rules.item(state);
  while (isOperator(peek(state), ',') || isOperator(peek(state), '.') || isOperator(peek(state), 'gap'))
    state.at += 1;
  return cell;
}
