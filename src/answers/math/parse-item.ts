import { readLead } from './label.ts';
import type { Node } from './node.ts';
import { isRelation } from './operators.ts';
import { accept, isOperator, type ParseState, peek } from './parse-state.ts';
import { labelNode } from './parse-unit.ts';
import type { Token } from './token.ts';

const SET_OPERATORS = new Set(['cup', 'cap', 'setminus']);

/** One item of a list: text, or expressions joined by relation signs. */
export function parseItem(state: ParseState): Node {
  const parts = [parseOperand(state)];
  const operators: string[] = [];
  for (;;) {
    const token = peek(state);
    if (token?.type !== 'operator' || !isRelation(token.text)) break;
    state.at += 1;
    accept(state, '&');
    operators.push(token.text);
    parts.push(parseRightSide(state, token.text));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'relation', operators, parts };
}

/** After `in`, a bare list is the set: `k \in 1, 2, 3`. */
function parseRightSide(state: ParseState, operator: string): Node {
  const first = parseOperand(state);
  if (operator !== 'in' || state.depth > 0 || first.kind !== 'number' || !isOperator(peek(state), ','))
    return first;
  const items = [first as Node];
  while (accept(state, ',')) items.push(parseOperand(state));
  return { kind: 'sequence', open: '{', close: '}', items, joiner: ',' };
}

function parseOperand(state: ParseState): Node {
  const start = state.at;
  const text = parseText(state);
  if (text === null) return parseSetExpression(state);
  return (
    (text.kind === 'text' &&
      !state.builder &&
      isOperator(peek(state), ':') &&
      parseLabelled(state, text.text, start)) ||
    text
  );
}

/** `chickens: 12`: a label before a number. Null where what follows is no number. */
function parseLabelled(state: ParseState, text: string, start: number): Node | null {
  const next = peek(state, isOperator(peek(state, 1), '-') ? 2 : 1);
  if (next?.type !== 'number' && next?.text !== 'frac') return null;
  if (followsText(state, start) || opensFactor(state, start)) return null;
  state.at += 1;
  return labelNode(state.rules.sum(state), readLead(text));
}

/** `5 (correction: 6)`: the bracket that opens here stands behind a number, which it would multiply. */
function opensFactor(state: ParseState, start: number): boolean {
  const open = state.tokens[start - 1];
  const before = state.tokens[start - 2];
  if (open === undefined || before === undefined || !/^(?:\\?\{|[([])$/.test(open.text)) return false;
  return (
    before.type !== 'operator' ||
    (!/^(?:,|;|and|or|gap|row|\\?\{|[([])$/.test(before.text) && !isRelation(before.text))
  );
}

/** Whether the item before the one that starts here has no number: `So, the answer is: 12` is a sentence. */
function followsText(state: ParseState, start: number): boolean {
  for (let at = start - 2; at >= 0; at -= 1) {
    const token = state.tokens[at];
    if (token === undefined || token.type === 'number') return false;
    if (token.type === 'operator' && /^(?:,|;|and|or|gap|row)$/.test(token.text)) return true;
  }
  return start > 1;
}

function parseSetExpression(state: ParseState): Node {
  let left = parseRatio(state);
  for (;;) {
    const token = peek(state);
    if (token?.type !== 'operator') return left;
    const difference = token.text === '-' && isSet(left);
    if (!SET_OPERATORS.has(token.text) && !difference) return left;
    state.at += 1;
    left = {
      kind: 'setOperation',
      operator: difference ? 'setminus' : token.text,
      left,
      right: parseRatio(state),
    };
  }
}

function isSet(node: Node): boolean {
  return node.kind === 'set' || node.kind === 'setOperation';
}

function parseRatio(state: ParseState): Node {
  const first = state.rules.sum(state);
  if (state.builder || !isOperator(peek(state), ':')) return first;
  const parts = [first];
  while (accept(state, ':')) parts.push(state.rules.sum(state));
  return { kind: 'ratio', parts };
}

/** An item that is words only; names, hyphens and apostrophes may stand among the words. */
function parseText(state: ParseState): Node | null {
  let at = state.at;
  let words = 0;
  for (; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token === undefined || isTextEnd(token)) break;
    if (token.type === 'word') words += 1;
    else if (token.type !== 'name' && token.type !== 'function' && !isTextMark(token)) return null;
  }
  const first = state.tokens[state.at];
  const last = state.tokens[at - 1];
  if (words === 0 || first === undefined || last === undefined) return null;
  state.at = at;
  return { kind: 'text', text: state.text.slice(first.start, last.end) };
}

function isTextMark(token: Token): boolean {
  return token.type === 'operator' && /^[-'.?!]$/.test(token.text);
}

function isTextEnd(token: Token): boolean {
  if (token.type === 'command') return token.text.startsWith('end:');
  if (token.type !== 'operator') return false;
  return isRelation(token.text) || /^(?:,|;|and|or|land|lor|gap|row|&|\)|\]|\}|\\\}|\||:)$/.test(token.text);
}
