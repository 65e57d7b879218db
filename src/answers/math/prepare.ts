import { mapCharacters } from './character-map.ts';
import { functionName, letterName } from './names.ts';

const WRAPPERS: ReadonlyArray<readonly [open: string, close: string]> = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['**', '**'],
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
];

const OPENERS = new Set(WRAPPERS.map(([open]) => open.charAt(0)));

const OTHER_COMMANDS = new Set(
  (
    'frac dfrac tfrac cfrac sqrt left right begin end text textbf mathrm mathbf mbox operatorname pi infty le leq ge ' +
    'geq ne neq in cup cap setminus cdot times div pm mp quad qquad circ binom overline mathbb boxed lfloor ' +
    'rfloor lceil rceil sum prod int approx equiv ldots dots cdots to mid'
  ).split(' '),
);

const LEAD =
  /^\s{0,9}(?:\\(?:approx|simeq|sim|therefore|quad|qquad|displaystyle|textstyle)(?![a-zA-Z])\s{0,9}|~)+/;
/** `1.234.567,89` and `1.234,5`: points that group, a comma before the decimals. */
const EUROPEAN = /^-?\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d+)$/;
const QUANTIFIER =
  /^for (?:any|all|every|each)(?: real)?(?: numbers?| values? of)? ?(?:\}\s?\$?[a-zA-Z]\$?|\$?[a-zA-Z]\$?\s?\}?)$/;
/** `9 to 19` as a whole answer is a ratio. */
const RATIO = /^([1-9]\d{0,8})\s?(?:\s|\\text\s?\{\s?)to(?:\s|\s?\})\s?([1-9]\d{0,8})$/;
const LETTER_LABEL = /^\(?\s?([A-J])\s?[).]$/;
/** The longest text that it matches. */
const MAX_LABEL = 5;

/**
 * Readies an answer for the lexer: one pass each for Unicode, JSON-escaped backslashes, math delimiters,
 * currency signs, and the punctuation around it.
 */
export function prepareAnswer(answer: string): string {
  let text = unescapeBackslashes(mapCharacters(answer).trim());
  for (let rounds = 0; rounds < 8; rounds += 1) {
    const before = text;
    text = trimPunctuation(unwrapBox(unwrap(text)));
    if (text === before) break;
  }
  text = dropQuantifier(text);
  // Most answers hold none of these: what they start with is looked for before a pattern is.
  if (text.startsWith('\\') || text.startsWith('~')) text = text.replace(LEAD, '');
  if (text.includes('frac')) text = text.replace(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac');
  const label = text.length <= MAX_LABEL ? LETTER_LABEL.exec(text) : null;
  if (label !== null) return label[1] ?? text;
  const ratio = text.includes('to') ? RATIO.exec(text) : null;
  if (ratio !== null) return `${ratio[1]}:${ratio[2]}`;
  if (text.includes('.') && EUROPEAN.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return text.includes('$') ? text.replace(/\\\$/g, '').replace(/\$/g, ' ').trim() : text;
}

/** `2x^3 \text{ for any real } x`: what holds for all values says nothing of the answer. */
function dropQuantifier(text: string): string {
  const at = text.lastIndexOf('for ');
  if (at <= 0 || !QUANTIFIER.test(text.slice(at, at + 80)) || text.length > at + 80) return text;
  const head = text.slice(0, at).trimEnd();
  const grouped = head.endsWith('\\text{');
  if (grouped !== text.slice(at).includes('}')) return text;
  return trimPunctuation(grouped ? head.slice(0, -6).trimEnd() : head);
}

function unwrap(text: string): string {
  if (!OPENERS.has(text.charAt(0))) return text;
  for (const [open, close] of WRAPPERS) {
    if (text.length <= open.length + close.length || !text.startsWith(open) || !text.endsWith(close))
      continue;
    const inside = text.slice(open.length, text.length - close.length);
    if (!inside.includes(open) && !inside.endsWith('\\')) return inside.trim();
  }
  return text;
}

/** `\boxed{…}` around the whole answer. */
function unwrapBox(text: string): string {
  const open = /^\\(?:boxed|fbox)\s?\{/.exec(text)?.[0].length ?? 0;
  if (open === 0 || !text.endsWith('}')) return text;
  let depth = 1;
  for (let i = open; i < text.length - 1; i += 1) {
    const char = text.charAt(i);
    if (char === '\\') i += 1;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if (depth === 0) return text;
  }
  return text.slice(open, -1).trim();
}

/** Takes off a full stop, a stray comma or backslash at the end, and a bare relation sign in front. */
function trimPunctuation(text: string): string {
  let end = text.length;
  for (;;) {
    const last = text.charCodeAt(end - 1);
    const stop = last === 0x2e && text.charCodeAt(end - 2) !== 0x2e;
    if (stop || last === 0x2c || last === 0x3b || last === 0x20 || last === 0x0a) end -= 1;
    else if (last === 0x5c) end -= 1;
    else break;
  }
  let start = 0;
  while (start < end && /[\s,;:=]/.test(text.charAt(start))) start += 1;
  return text.slice(start, end);
}

/** `\\frac` with two backslashes is a JSON-escaped command; `\\` before anything else is a row break. */
function unescapeBackslashes(text: string): string {
  if (!text.includes('\\\\')) return text;
  const escaped = /\\\\([a-zA-Z]{2,20})/g;
  let found = false;
  const result = text.replace(escaped, (whole, name: string, at: number) => {
    if (text.charAt(at - 1) === '\\') return whole;
    const known = OTHER_COMMANDS.has(name) || functionName(name) !== null || letterName(name) !== null;
    if (known) found = true;
    return known ? `\\${name}` : whole;
  });
  if (!found) return text;
  return result.replace(/\\\\\\\\/g, '\\\\').replace(/\\\\([{}()[\],!;:])/g, '\\$1');
}
