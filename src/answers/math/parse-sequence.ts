import { type Node, numberNode, type SequenceNode } from './node.ts';
import { accept, fail, inBrackets, isOperator, type ParseState, peek } from './parse-state.ts';
import type { Token } from './token.ts';

const CLOSERS: Readonly<Record<string, readonly string[]>> = {
  '(': [')', ']'],
  '[': [']', ')', '['],
  ']': ['[', ']'],
  '{': ['}'],
  '\\{': ['\\}'],
};

const SEPARATORS: ReadonlySet<string> = new Set([',', ';', 'and', 'or', 'land', 'lor', 'gap', 'row']);
const NONE: readonly Token[] = [];

/** `(…)`, `[…]`, `{…}` and `\{…\}`: one item is itself, several are a tuple, interval or set. */
export function parseBracketed(state: ParseState, open: string): Node {
  state.at += 1;
  const closers = CLOSERS[open] ?? fail();
  const setBraces = open === '\\{';
  return inBrackets(
    state,
    () => {
      if (accept(state, '\\}') && setBraces) return { kind: 'set', name: '∅' };
      const { items } = readItems(state, closers, open !== '(');
      const bar = isOperator(peek(state), '|') || isOperator(peek(state), ':');
      if (setBraces && bar && items.length === 1) return readBuilder(state, items[0] ?? fail());
      const close = peek(state)?.text ?? fail();
      if (!closers.includes(close)) fail();
      state.at += 1;
      return bracketNode(open, close, items);
    },
    setBraces,
  );
}

function bracketNode(open: string, close: string, items: Node[]): Node {
  const [only] = items;
  if (only === undefined) return open === '{' ? numberNode(1) : fail();
  if (items.length === 1) {
    if (open === '\\{') return { kind: 'sequence', open: '{', close: '}', items, joiner: ',' };
    const matching = (open === '(' && close === ')') || (open === '[' && close === ']') || open === '{';
    return matching ? only : fail();
  }
  if (open === '[' && items.every(isRow)) return matrixNode(items);
  if (open === '{' || open === '\\{') return { kind: 'sequence', open: '{', close: '}', items, joiner: ',' };
  // The French `]a, b[` is the open interval.
  const left = open === ']' ? '(' : open;
  const right = close === '[' ? ')' : close;
  return { kind: 'sequence', open: left, close: right, items, joiner: ',' };
}

/** What stands between semicolons. */
function isRow(node: Node): node is SequenceNode {
  return node.kind === 'sequence' && node.open === '';
}

/** `[1, 2; 3, 4]` is a matrix by its rows. */
function matrixNode(items: SequenceNode[]): Node {
  const width = items[0]?.items.length;
  return items.every((row) => row.items.length === width)
    ? { kind: 'matrix', rows: items.map((row) => row.items) }
    : fail();
}

function readBuilder(state: ParseState, variable: Node): Node {
  state.at += 1;
  state.builder = false;
  const { items, joiner } = readItems(state, ['\\}']);
  if (!accept(state, '\\}')) fail();
  const [only] = items;
  if (only === undefined) fail();
  const condition: Node =
    items.length === 1 ? only : { kind: 'sequence', open: '', close: '', items, joiner };
  return { kind: 'setBuilder', variable, condition };
}

/** The whole answer: items between commas, semicolons, `and`, `or` and wide gaps. */
export function parseBareSequence(state: ParseState): Node {
  const { items, joiner } = readItems(state, []);
  if (items.length === 0 || state.at < state.tokens.length) fail();
  return bare(items, joiner);
}

function bare(items: Node[], joiner: SequenceNode['joiner']): Node {
  const [only] = items;
  return items.length === 1 && only !== undefined
    ? only
    : { kind: 'sequence', open: '', close: '', items, joiner };
}

interface Items {
  items: Node[];
  joiner: SequenceNode['joiner'];
}

/** Items up to a closing operator or the end; semicolons between commas make groups of what stands between them. */
function readItems(state: ParseState, closers: readonly string[], grouping = true): Items {
  const groups: Node[][] = [[]];
  const braced: boolean[] = [];
  let joiner: SequenceNode['joiner'] = ',';
  let logical = false;
  // `5 (or 6)`: what another answer stands before is no factor.
  if (skipSeparators(state).some(({ text }) => text === 'or' || (text === 'and' && closers.length > 0)))
    fail();
  for (;;) {
    const token = peek(state);
    if (token === undefined || isOperator(token, closers[0] ?? '')) break;
    if (token.type === 'operator' && closers.includes(token.text) && braced.length > 0) break;
    const start = state.at;
    groups.at(-1)?.push(state.rules.item(state));
    braced.push(isBraced(state, start));
    const separators = skipSeparators(state);
    if (separators.length === 0) {
      // Most groups hold one item.
      const [first = []] = groups;
      if (groups.length === 1 && first.length === 1) return { items: first, joiner };
      break;
    }
    for (const { text } of separators) {
      if (text === ';') groups.push([]);
      if (text === 'or' || text === 'lor') joiner = 'or';
      if ((text === 'and' || text === 'land') && joiner === ',') joiner = 'and';
      if (text === 'land' || text === 'lor') logical = true;
    }
  }
  // Between statements a logical sign joins what they say; between anything else it is an operation.
  if (logical && !groups.flat().every((item) => item.kind === 'relation')) fail();
  const filled = groups.filter((group) => group.length > 0);
  const grouped = grouping && filled.length > 1 && filled.some((group) => group.length > 1);
  const items = grouped
    ? filled.map((group) => bare(group, ','))
    : nestSets(filled.flat(), braced, !/^[)\]]/.test(closers[0] ?? ''));
  return { items, joiner };
}

/** Whether one pair of plain braces holds the item that was read from `start`. */
function isBraced(state: ParseState, start: number): boolean {
  if (!isOperator(state.tokens[start], '{')) return false;
  let depth = 0;
  for (let at = start; at < state.at; at += 1) {
    const token = state.tokens[at];
    if (isOperator(token, '{')) depth += 1;
    if (isOperator(token, '}')) depth -= 1;
    if (depth === 0) return at === state.at - 1;
  }
  return false;
}

function isSet(node: Node): boolean {
  return node.kind === 'sequence' && node.open === '{';
}

/** A single item in plain braces is a set of one beside a set, or among nothing but braces: `{{1,2},{3}}`. */
function nestSets(items: Node[], braced: boolean[], loose: boolean): Node[] {
  if (items.length < 2 || !braced.includes(true)) return items;
  const nested = items.some((item, i) => braced[i] && isSet(item)) || (loose && braced.every(Boolean));
  if (!nested) return items;
  return items.map((item, i) =>
    braced[i] && !isSet(item)
      ? { kind: 'sequence', open: '{', close: '}', items: [item], joiner: ',' }
      : item,
  );
}

function skipSeparators(state: ParseState): readonly Token[] {
  const start = state.at;
  while (isSeparator(peek(state))) state.at += 1;
  return state.at === start ? NONE : state.tokens.slice(start, state.at);
}

function isSeparator(token: Token | undefined): boolean {
  return token?.type === 'operator' && SEPARATORS.has(token.text);
}
