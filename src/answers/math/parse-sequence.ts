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

/** `(…)`, `[…]`, `{…}` and `\{…\}`: one item is itself, several are a tuple, interval or set. */
export function parseBracketed(state: ParseState, open: string): Node {
  state.at += 1;
  const closers = CLOSERS[open] ?? fail();
  const setBraces = open === '\\{';
  return inBrackets(
    state,
    () => {
      if (accept(state, '\\}') && setBraces) return { kind: 'set', name: '∅' };
      const { items } = readItems(state, closers, open === '{' || setBraces);
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
  if (open === '{' || open === '\\{') return { kind: 'sequence', open: '{', close: '}', items, joiner: ',' };
  // The French `]a, b[` is the open interval.
  const left = open === ']' ? '(' : open;
  const right = close === '[' ? ')' : close;
  return { kind: 'sequence', open: left, close: right, items, joiner: ',' };
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
  const groups: Node[][] = [];
  let joiner: SequenceNode['joiner'] = ',';
  let semicolons = false;
  skipSeparators(state);
  while (state.at < state.tokens.length) {
    const group = [state.rules.item(state)];
    while (isOperator(peek(state), ',')) {
      skipSeparators(state);
      if (state.at >= state.tokens.length) break;
      group.push(state.rules.item(state));
    }
    groups.push(group);
    const separators = skipSeparators(state);
    if (separators.length === 0 && state.at < state.tokens.length) fail();
    for (const separator of separators) {
      if (separator.text === ';') semicolons = true;
      else if (separator.text === 'or') joiner = 'or';
      else if (separator.text === 'and' && joiner === ',') joiner = 'and';
    }
  }
  if (groups.length === 0) fail();
  const grouped = semicolons && groups.length > 1 && groups.some((group) => group.length > 1);
  const items = grouped ? groups.map((group) => bare(group, ',')) : groups.flat();
  return bare(items, joiner);
}

function bare(items: Node[], joiner: SequenceNode['joiner']): Node {
  const [only] = items;
  return items.length === 1 && only !== undefined
    ? only
    : { kind: 'sequence', open: '', close: '', items, joiner };
}

/** Items up to a closing operator; with `grouped`, semicolons between commas make tuples of what stands between them. */
function readItems(
  state: ParseState,
  closers: readonly string[],
  grouped = false,
): { items: Node[]; joiner: SequenceNode['joiner'] } {
  const groups: Node[][] = [[]];
  let joiner: SequenceNode['joiner'] = ',';
  skipSeparators(state);
  for (;;) {
    const token = peek(state);
    if (token === undefined || isOperator(token, closers[0] ?? '')) break;
    if (token.type === 'operator' && closers.includes(token.text) && groups.flat().length > 0) break;
    groups.at(-1)?.push(state.rules.item(state));
    const separators = skipSeparators(state);
    if (separators.length === 0) break;
    for (const separator of separators) {
      if (separator.text === ';') groups.push([]);
      if (separator.text === 'or' || (separator.text === 'and' && joiner === ',')) joiner = separator.text;
    }
  }
  const filled = groups.filter((group) => group.length > 0);
  const tuples = grouped && filled.length > 1 && filled.some((group) => group.length > 1);
  return { items: tuples ? filled.map((group) => bare(group, ',')) : filled.flat(), joiner };
}

function skipSeparators(state: ParseState): Token[] {
  const skipped: Token[] = [];
  for (;;) {
    const token = peek(state);
    if (token?.type !== 'operator' || !/^(?:,|;|and|or|land|lor|gap|row)$/.test(token.text)) return skipped;
    skipped.push(token);
    state.at += 1;
  }
}
