import { isFigure, readFigure } from './lex-figure.ts';
import { type LexState, pushToken, skipTo } from './lex-state.ts';
import { functionName, letterName } from './names.ts';
import { commandOperator } from './operators.ts';

const NAME = /[a-zA-Z]+\*?/y;
const GROUP = /\s{0,4}\{/y;
const ENVIRONMENT = /\s{0,4}\{([a-zA-Z]{1,20})\*?\}/y;
const DROPPED_GROUP = /\s{0,4}\{[^{}]{0,60}\}/y;

const TEXT = new Set(
  (
    'text textbf textit textrm texttt textsf textup textnormal mathrm mathbf mathit mathsf mathtt mathnormal mbox ' +
    'hbox operatorname operatorname* boldsymbol bm pmb mathcal mathfrak mathscr emph'
  ).split(' '),
);
const UPRIGHT = new Set(
  'text textrm textnormal textup mathrm mbox hbox operatorname operatorname*'.split(' '),
);
const DECORATIONS = new Set(
  'overline bar vec hat widehat tilde widetilde dot ddot overrightarrow overleftarrow underline mathring overarc'.split(
    ' ',
  ),
);
const STRUCTURAL: Readonly<Record<string, string>> = {
  frac: 'frac',
  dfrac: 'frac',
  tfrac: 'frac',
  cfrac: 'frac',
  sqrt: 'sqrt',
  binom: 'binom',
  dbinom: 'binom',
  tbinom: 'binom',
  choose: 'choose',
  over: 'over',
  sum: 'sum',
  prod: 'prod',
  int: 'int',
  iint: 'int',
  iiint: 'int',
  oint: 'int',
  lim: 'lim',
  emptyset: 'emptyset',
  varnothing: 'emptyset',
  substack: 'substack',
};
const DROPPED_WITH_GROUP = new Set([
  'tag',
  'label',
  'phantom',
  'vspace',
  'hspace',
  'color',
  'mathstrut',
  'hphantom',
]);

/** Reads what starts with a backslash. */
export function readCommand(state: LexState): number {
  const { text, at } = state;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return readEscape(state, text.charAt(at + 1));
  const end = at + 1 + name.length;
  if (TEXT.has(name)) return openText(state, name, end);
  if (name === 'mathbb' || name === 'Bbb') return readNumberSet(state, end);
  if (name === 'begin' || name === 'end') return readEnvironment(state, name, end);
  if (Object.hasOwn(STRUCTURAL, name)) return pushToken(state, 'command', STRUCTURAL[name] ?? name, end);
  if (DECORATIONS.has(name)) return pushToken(state, 'command', `deco:${name}`, end);
  if (name === 'boxed' || name === 'fbox') return skipTo(state, end);
  if (DROPPED_WITH_GROUP.has(name)) return skipTo(state, groupEnd(DROPPED_GROUP, text, end));
  if (name === 'not') return readNot(state, end);
  if (name === 'pi' || name === 'infty') return pushToken(state, 'name', name, end);
  const func = functionName(name);
  if (func !== null) return pushToken(state, 'function', func, end);
  const letter = letterName(name);
  if (letter !== null) return pushToken(state, 'name', letter, end);
  const operator = commandOperator(name);
  if (isFigure(name)) return readFigure(state, name, end);
  if (operator !== null) return readNamedOperator(state, operator, end);
  const glued =
    /^(?:(?:quad|qquad|cdot|times|cup|text|infty)(?=[a-zA-Z])|(?:pi|le|ge|in(?!f))(?=[a-zA-Z]$))/.exec(name);
  if (glued !== null) return readGlued(state, glued[0]);
  return pushToken(state, 'command', name, end);
}

function readEscape(state: LexState, char: string): number {
  const end = state.at + 2;
  if (char === '\\') return pushToken(state, 'operator', 'row', end);
  if (char === '{' || char === '}') {
    state.depth = Math.max(0, state.depth + (char === '{' ? 1 : -1));
    return pushToken(state, 'operator', `\\${char}`, end);
  }
  if (char === '%' || char === '&' || char === '|')
    return pushToken(state, 'operator', char === '|' ? '\\|' : char, end);
  // Spaces and math delimiters say nothing; what else is escaped is a sign that the parser does not know.
  if (char === '' || /[\s,;:!>/()[\]$-]/.test(char)) return skipTo(state, end);
  return pushToken(state, 'operator', `\\${char}`, end);
}

/** Opens a text group: its content is lexed in place, upright, up to the closing brace. */
function openText(state: LexState, name: string, end: number): number {
  const open = groupEnd(GROUP, state.text, end);
  if (open === end) return skipTo(state, end);
  const close = matchingBrace(state.text, open);
  if (close < 0) return pushToken(state, 'command', 'unclosed', state.end);
  state.groups.push({ end: close, upright: UPRIGHT.has(name) });
  return skipTo(state, open);
}

/** Index of the brace that closes the group whose content starts at `open`, or -1. */
function matchingBrace(text: string, open: number): number {
  let depth = 1;
  for (let i = open; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i += 1;
    else if (code === 0x7b) depth += 1;
    else if (code === 0x7d) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

function readNumberSet(state: LexState, end: number): number {
  const letter = /^\s{0,4}\{?\s?([A-Z])\s?\}?/.exec(state.text.slice(end, end + 12));
  if (letter === null) return pushToken(state, 'command', 'mathbb', end);
  return pushToken(state, 'command', `set:${letter[1] ?? ''}`, end + letter[0].length);
}

function readEnvironment(state: LexState, name: string, end: number): number {
  ENVIRONMENT.lastIndex = end;
  const match = ENVIRONMENT.exec(state.text);
  if (match === null) return pushToken(state, 'command', 'unclosed', end);
  let stop = end + match[0].length;
  if (name === 'begin' && match[1] === 'array') stop = groupEnd(DROPPED_GROUP, state.text, stop);
  state.depth = Math.max(0, state.depth + (name === 'begin' ? 1 : -1));
  return pushToken(state, 'command', `${name}:${match[1] ?? ''}`, stop);
}

function readNot(state: LexState, end: number): number {
  const next = /^\s{0,2}(?:=|\\in(?![a-z])|\\equiv)/.exec(state.text.slice(end, end + 12));
  if (next === null) return pushToken(state, 'command', 'not', end);
  return pushToken(state, 'operator', next[0].includes('in') ? 'notin' : 'ne', end + next[0].length);
}

/** `\left|` and `\right|` say which way the bar opens; `\left.` and the like stand for nothing. */
function readNamedOperator(state: LexState, operator: string, end: number): number {
  if (operator !== '') {
    if (operator === '\\{' || operator === '(' || operator === '[') state.depth += 1;
    if (operator === '\\}' || operator === ')' || operator === ']')
      state.depth = Math.max(0, state.depth - 1);
    return pushToken(state, 'operator', operator, end);
  }
  const side = /^\\(left|right)$/.exec(state.text.slice(state.at, end));
  if (side === null) return skipTo(state, end);
  const next = /^\s{0,3}(\.|\||\\vert(?![a-z])|\{|\})/.exec(state.text.slice(end, end + 10));
  if (next === null) return skipTo(state, end);
  const mark = next[1] ?? '';
  const stop = end + next[0].length;
  if (mark === '.') return skipTo(state, stop);
  const left = side[1] === 'left';
  if (mark === '{' || mark === '}') {
    state.depth = Math.max(0, state.depth + (left ? 1 : -1));
    return pushToken(state, 'operator', mark, stop);
  }
  return pushToken(state, 'operator', left ? '|(' : '|)', stop);
}

/** A command that lost the space after it, as in `\quadx`. */
function readGlued(state: LexState, name: string): number {
  const end = state.at + 1 + name.length;
  const operator = commandOperator(name);
  if (operator === null) return pushToken(state, 'name', name, end);
  if (operator === '') return skipTo(state, end);
  return pushToken(state, 'operator', operator, end);
}

function groupEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
