import type { Node } from './node.ts';
import { accept, fail, inBrackets, isCommand, isOperator, type ParseState, peek } from './parse-state.ts';
import type { Token } from './token.ts';

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
      return casesNode(readRows(state, name, true));
    }
    if (ALIGNED.has(name)) return bareList(readRows(state, name).map(joinCells));
    return fail();
  });
}

/** `\left\{\begin{array}…\end{array}\right.` is a case distinction too. Null where no environment follows the brace. */
export function parseCasesArray(state: ParseState): Node | null {
  const begin = peek(state, 1);
  if (begin?.type !== 'command' || !/^begin:(?:array|matrix)$/.test(begin.text)) return null;
  state.at += 2;
  const rows = inBrackets(state, () => readRows(state, begin.text.slice(6), true));
  return isOperator(peek(state), '\\}') ? fail() : casesNode(rows);
}

function casesNode(rows: Node[][]): Node {
  return rows.every((row) => row.length === 1) ? bareList(rows.flat()) : { kind: 'cases', rows };
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

function readRows(state: ParseState, name: string, cases = false): Node[][] {
  const rows: Node[][] = [];
  let row: Node[] = [];
  for (;;) {
    if (isCommand(peek(state), `end:${name}`)) {
      state.at += 1;
      break;
    }
    row.push(readCell(state));
    for (;;) {
      const marked = accept(state, '&');
      // `2x, \text{if } x > 0` needs no mark.
      const stated = cases && isConditionWord(peek(state));
      if (stated) skipConditionWords(state);
      if (!marked && !stated) break;
      row.push(readCell(state));
    }
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

function isConditionWord(token: Token | undefined): boolean {
  return (
    token?.type === 'word' &&
    /^(?:if|when|whenever|for|where|provided|otherwise|else|elsewhere)$/i.test(token.text)
  );
}

/** Leaves a last word that is the whole condition: `otherwise`. */
function skipConditionWords(state: ParseState): void {
  while (isConditionWord(peek(state)) && !isCellEnd(peek(state, 1))) state.at += 1;
}

function isCellEnd(token: Token | undefined): boolean {
  if (token === undefined || token.type === 'command')
    return token === undefined || token.text.startsWith('end:');
  return token.type === 'operator' && /^(?:,|\.|gap|row|&)$/.test(token.text);
}

function readCell(state: ParseState): Node {
  const cell = state.rules.item(state);
  while (isOperator(peek(state), ',') || isOperator(peek(state), '.') || isOperator(peek(state), 'gap'))
    state.at += 1;
  return cell;
}
