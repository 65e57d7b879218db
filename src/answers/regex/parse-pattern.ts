import { classRanges, DIGITS, fold, SPACES, WORDS } from './character-ranges.ts';
import { type Pattern, PatternError } from './pattern.ts';

const MAX_PATTERN = 500;
const MAX_COUNT = 100;
const MAX_DEPTH = 40;

interface Reader {
  readonly source: string;
  at: number;
  groups: number;
  depth: number;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** Parses a pattern in the syntax that RE2 and JavaScript share; flags stand in front, as in `(?i)answer`. */
export function parsePattern(source: string): { pattern: Pattern; groups: number } {
  if (source.length > MAX_PATTERN)
    throw new PatternError(`the pattern is longer than ${MAX_PATTERN} characters`);
  const flags = /^\(\?([ims]+)\)/.exec(source)?.[1] ?? '';
  const reader: Reader = {
    source,
    at: flags === '' ? 0 : flags.length + 3,
    groups: 0,
    depth: 0,
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('s'),
  };
  const pattern = readChoice(reader);
  if (reader.at < source.length)
    throw new PatternError(`unexpected "${source.charAt(reader.at)}" in the pattern`);
  return { pattern, groups: reader.groups };
}

function readChoice(reader: Reader): Pattern {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new PatternError('the pattern is nested too deeply');
  const options = [readSequence(reader)];
  while (reader.source.charAt(reader.at) === '|') {
    reader.at += 1;
    options.push(readSequence(reader));
  }
  reader.depth -= 1;
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
}

function readSequence(reader: Reader): Pattern {
  const items: Pattern[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    items.push(readRepeat(reader, readAtom(reader)));
  }
  return items.length === 0 ? { kind: 'empty' } : { kind: 'sequence', items };
}

function readRepeat(reader: Reader, item: Pattern): Pattern {
  const counted = /^(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})(\??)/.exec(
    reader.source.slice(reader.at, reader.at + 20),
  );
  if (counted === null) return item;
  reader.at += counted[0].length;
  const [, sign, from, comma, to, lazy] = counted;
  const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
  const bounded =
    comma === undefined ? min : to === undefined || to === '' ? Number.POSITIVE_INFINITY : Number(to);
  const max = sign === undefined ? bounded : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
  if (min > MAX_COUNT || (Number.isFinite(max) && max > MAX_COUNT))
    throw new PatternError(`a repetition counts above ${MAX_COUNT}`);
  if (max < min) throw new PatternError('a repetition counts down');
  return { kind: 'repeat', item, min, max, lazy: lazy === '?' };
}

function readAtom(reader: Reader): Pattern {
  const char = reader.source.charAt(reader.at);
  reader.at += 1;
  switch (char) {
    case '(':
      return readGroup(reader);
    case '[':
      return readClass(reader);
    case '.':
      return { kind: 'set', negated: true, ranges: reader.dotAll ? [] : [[10, 10]] };
    case '^':
      return { kind: 'assert', assertion: reader.multiline ? 'line-start' : 'start' };
    case '$':
      return { kind: 'assert', assertion: reader.multiline ? 'line-end' : 'end' };
    case '\\':
      return readEscape(reader);
    case '*':
    case '+':
    case '?':
      throw new PatternError('there is nothing to repeat');
    default:
      return literal(reader, char.charCodeAt(0));
  }
}

function readGroup(reader: Reader): Pattern {
  const { source } = reader;
  const named = /^\?P?<[A-Za-z_]\w{0,30}>/.exec(source.slice(reader.at, reader.at + 40));
  let index = 0;
  if (source.startsWith('?:', reader.at)) reader.at += 2;
  else if (named !== null) reader.at += named[0].length;
  else if (source.charAt(reader.at) === '?')
    throw new PatternError('look-around and inline flags are not supported');
  if (named !== null || source.slice(reader.at - 2, reader.at) !== '?:') {
    reader.groups += 1;
    index = reader.groups;
  }
  const item = readChoice(reader);
  if (source.charAt(reader.at) !== ')') throw new PatternError('a group is not closed');
  reader.at += 1;
  return index === 0 ? item : { kind: 'group', item, index };
}

function readEscape(reader: Reader): Pattern {
  const char = reader.source.charAt(reader.at);
  reader.at += 1;
  if (char === 'b' || char === 'B')
    return { kind: 'assert', assertion: char === 'b' ? 'boundary' : 'no-boundary' };
  if (char === 'A' || char === 'z' || char === 'Z')
    return { kind: 'assert', assertion: char === 'A' ? 'start' : 'end' };
  if (/[1-9k]/.test(char)) throw new PatternError('back-references are not supported');
  const ranges = classRanges(char);
  if (ranges !== null) return { kind: 'set', negated: /[DWS]/.test(char), ranges };
  return literal(reader, escapedCode(char));
}

function escapedCode(char: string): number {
  if (char === '') throw new PatternError('the pattern ends in a backslash');
  const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 };
  const code = controls[char];
  if (code !== undefined) return code;
  if (/[A-Za-z]/.test(char)) throw new PatternError(`the escape \\${char} is not supported`);
  return char.charCodeAt(0);
}

function literal(reader: Reader, code: number): Pattern {
  return { kind: 'set', negated: false, ranges: fold([[code, code]], reader.ignoreCase) };
}

function readClass(reader: Reader): Pattern {
  const { source } = reader;
  const negated = source.charAt(reader.at) === '^';
  if (negated) reader.at += 1;
  const ranges: Array<readonly [number, number]> = [];
  for (let first = true; ; first = false) {
    if (reader.at >= source.length) throw new PatternError('a character class is not closed');
    if (source.charAt(reader.at) === ']' && !first) break;
    const from = readClassItem(reader, ranges);
    if (from === null) continue;
    if (source.charAt(reader.at) === '-' && source.charAt(reader.at + 1) !== ']') {
      reader.at += 1;
      const to = readClassItem(reader, ranges);
      if (to === null || to < from) throw new PatternError('a range of a character class is out of order');
      ranges.push([from, to]);
    } else ranges.push([from, from]);
  }
  reader.at += 1;
  return { kind: 'set', negated, ranges: fold(ranges, reader.ignoreCase) };
}

/** The code of one character, or null after adding a class such as `\d`. */
function readClassItem(reader: Reader, ranges: Array<readonly [number, number]>): number | null {
  const char = reader.source.charAt(reader.at);
  reader.at += 1;
  if (char !== '\\') return char.charCodeAt(0);
  const escaped = reader.source.charAt(reader.at);
  reader.at += 1;
  if (escaped === 'd') ranges.push(...DIGITS);
  else if (escaped === 'w') ranges.push(...WORDS);
  else if (escaped === 's') ranges.push(...SPACES);
  else if (/[DWS]/.test(escaped)) throw new PatternError('a negated class inside a class is not supported');
  else return escapedCode(escaped);
  return null;
}
