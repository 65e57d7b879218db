import { LOOSE_WORDS, ORDINALS, OTHER_NUMBERS, readNumberWords, SCALES } from './number-words.ts';

/** The numbers of a text in canonical writing (`1000`, `2.5`, `-3`, `1/2`), in order, repeats included. */
export interface NumbersOfText {
  /** Those that are certainly meant. */
  readonly certain: readonly string[];
  /** Words such as `one` and `first`, which may be meant. */
  readonly loose: readonly string[];
}

/** What differs between the numbers of two texts. Both empty: nothing. */
export interface NumberChanges {
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

const FRACTION_COMMAND = /\\[dt]?frac\s*(?:\{\s*(\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))/g;
/** A minus counts as a sign where nothing stands right before it that it could be taken from. */
const SIGN = /(?<sign>(?<![\w)}\]])[-\u2212])?[$€£]?/;
const DIGITS = /(?:(?<whole>\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)(?<decimals>\.\d+)?|(?<fraction>\.\d+))/;
const DENOMINATOR = /(?:\s*\/\s*(?<denominator>\d+)(?![\d/]))?/;
const TOKEN = new RegExp(
  `(?<word>[a-z]+)|${SIGN.source}${DIGITS.source}${DENOMINATOR.source}|[.,;:!?]`,
  'gi',
);

/** Reads digits everywhere and English number words. Linear in the text. */
export function readNumbers(text: string): NumbersOfText {
  const certain: string[] = [];
  const loose: string[] = [];
  const tokens = tokenize(text);
  const words = tokens.map((token) => (token.kind === 'word' ? token.word : ''));
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === 'number') {
      const scale = SCALES[words[at + 1] ?? ''];
      if (scale === undefined || token.value.includes('/')) certain.push(token.value);
      else {
        certain.push(shift(token.value, scale));
        at++;
      }
      continue;
    }
    const read = readNumberWords(words, at);
    if (read === null) {
      const other = OTHER_NUMBERS[token.word];
      const ordinal = ORDINALS[token.word];
      if (other !== undefined) certain.push(other);
      else if (ordinal !== undefined) loose.push(ordinal);
      continue;
    }
    const denominator = denominatorOf(words[at + read.length] ?? '');
    if (denominator !== null) {
      certain.push(`${read.value}/${denominator}`);
      at += read.length;
      continue;
    }
    (read.length === 1 && LOOSE_WORDS.has(token.word) ? loose : certain).push(String(read.value));
    at += read.length - 1;
  }
  return { certain, loose };
}

/**
 * Which numbers a rewrite lost and which it added, as multisets. A number may turn from digits into words and back;
 * a loose word may come and go.
 */
export function compareNumbers(original: string, rewrite: string): NumberChanges {
  const before = readNumbers(original);
  const after = readNumbers(rewrite);
  return {
    missing: without(without(before.certain, after.certain), after.loose),
    added: without(without(after.certain, before.certain), before.loose),
  };
}

/** The first list less the second, each entry for one. */
export function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of taken) counts.set(each, (counts.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = counts.get(each) ?? 0;
    if (count > 0) counts.set(each, count - 1);
    return count === 0;
  });
}

type Token =
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'word'; readonly word: string };

function tokenize(text: string): readonly Token[] {
  const plain = text.replaceAll(
    FRACTION_COMMAND,
    (_, a: string | undefined, b: string | undefined, c: string | undefined, d: string | undefined) =>
      ` ${a ?? b}/${c ?? d} `,
  );
  return [...plain.matchAll(TOKEN)].flatMap((match): Token[] => {
    const { sign, whole, decimals, fraction, denominator, word } = match.groups ?? {};
    if (word !== undefined) return [{ kind: 'word', word: word.toLowerCase() }];
    // Punctuation, which no number goes across.
    if (whole === undefined && fraction === undefined) return [{ kind: 'word', word: '' }];
    const digits = canonical(whole?.replaceAll(/\D/g, '') ?? '', (decimals ?? fraction ?? '').slice(1));
    const value = sign === undefined || digits === '0' ? digits : `-${digits}`;
    return [
      { kind: 'number', value: denominator === undefined ? value : `${value}/${canonical(denominator, '')}` },
    ];
  });
}

/** Without zeros that say nothing: `007`, `2.50`. */
function canonical(whole: string, decimals: string): string {
  const left = whole.replace(/^0+(?=\d)/, '') || '0';
  const right = decimals.replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}

/** Times a power of ten, exactly. */
function shift(value: string, power: number): string {
  const sign = value.startsWith('-') ? '-' : '';
  const [whole = '', decimals = ''] = value.slice(sign.length).split('.');
  const moved = decimals.padEnd(power, '0');
  return sign + canonical(whole + moved.slice(0, power), moved.slice(power));
}

function denominatorOf(word: string): string | null {
  if (word === 'half' || word === 'halves') return '2';
  const singular = word.endsWith('s') ? word.slice(0, -1) : word;
  if (singular === 'first' || singular === 'second') return null;
  return ORDINALS[singular] ?? null;
}
