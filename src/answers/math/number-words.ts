import { addRational, fromInteger, makeRational, negateRational, type Rational } from './rational.ts';

const SMALL = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
    'seventeen eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value] as const),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, 20 + 10 * i] as const),
);
const SCALES = new Map([
  ['thousand', 3],
  ['million', 6],
  ['billion', 9],
  ['trillion', 12],
]);
const PARTS = new Map(
  (
    'half third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth ' +
    'seventeenth eighteenth nineteenth twentieth'
  )
    .split(' ')
    .map((word, i) => [word, i + 2] as const),
);
for (const [word, value] of [
  ['quarter', 4],
  ['hundredth', 100],
  ['thousandth', 1000],
] as const)
  PARTS.set(word, value);

interface Reading {
  value: Rational;
  /** The index of the first word behind the number. */
  next: number;
}

/** 0–19 or a multiple of ten below 100 for an English number word, else null. */
export function numberWord(word: string): number | null {
  const lower = word.toLowerCase();
  return SMALL.get(lower) ?? TENS.get(lower) ?? null;
}

/**
 * The English number at the start of a phrase, and the words behind it: `negative one hundred and five`, `three quarters`,
 * `two and a half`, `three point five apples`. Null where none starts.
 */
export function readSpelledNumber(phrase: string): { value: Rational; rest: string[] } | null {
  const words = phrase
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== '');
  const negative = words[0] === 'minus' || words[0] === 'negative';
  const reading = readMixed(words, negative ? 1 : 0);
  if (reading === null) return null;
  const value = negative ? negateRational(reading.value) : reading.value;
  return { value, rest: words.slice(reading.next) };
}

/** A whole number, a fraction, or both with `and` between them; or digits after `point`. */
function readMixed(words: readonly string[], at: number): Reading | null {
  const fraction = readFraction(words, at);
  if (fraction !== null) return fraction;
  const whole = readWhole(words, at);
  if (whole === null) return null;
  if (words[whole.next] === 'point') return readDecimals(words, whole);
  const part = words[whole.next] === 'and' ? readFraction(words, whole.next + 1) : null;
  const sum = part === null ? null : addRational(whole.value, part.value);
  return part === null || sum === null ? whole : { value: sum, next: part.next };
}

/** `three quarters`, `one half`, `a third`, `half`. */
function readFraction(words: readonly string[], at: number): Reading | null {
  if (words[at] === 'half') return { value: { num: 1n, den: 2n }, next: at + 1 };
  const top = isArticle(words[at]) ? { value: fromInteger(1), next: at + 1 } : readWhole(words, at);
  const word = top === null ? undefined : words[top.next];
  if (top === null || word === undefined) return null;
  const single = word === 'halves' ? 'half' : word.replace(/s$/, '');
  const bottom = PARTS.get(single);
  const plural = single !== word;
  if (bottom === undefined || plural === (top.value.num === 1n)) return null;
  const value = makeRational(top.value.num, BigInt(bottom));
  return value === null ? null : { value, next: top.next + 1 };
}

function readDecimals(words: readonly string[], whole: Reading): Reading | null {
  let at = whole.next + 1;
  let digits = '';
  for (; at < words.length; at += 1) {
    const digit = SMALL.get(words[at] ?? '');
    if (digit === undefined || digit > 9) break;
    digits += digit;
  }
  if (digits === '') return null;
  const part = makeRational(BigInt(digits), 10n ** BigInt(digits.length));
  const value = part === null ? null : addRational(whole.value, part);
  return value === null ? null : { value, next: at };
}

/** `two million three hundred thousand and five`: groups below a thousand, by falling powers of ten. */
function readWhole(words: readonly string[], at: number): Reading | null {
  let total = 0n;
  let next = at;
  let last = Number.POSITIVE_INFINITY;
  for (;;) {
    const joined = next > at && words[next] === 'and';
    const group = readGroup(words, joined ? next + 1 : next);
    if (group === null) break;
    const scale = SCALES.get(words[group.next] ?? '') ?? 0;
    if (scale >= last || (next > at && group.value === 0)) break;
    total += BigInt(group.value) * 10n ** BigInt(scale);
    next = group.next + (scale > 0 ? 1 : 0);
    last = scale;
    if (scale === 0) break;
  }
  if (next > at && words[next] === 'dozen' && last === 0)
    return { value: fromInteger(Number(total) * 12), next: next + 1 };
  return next === at ? null : { value: { num: total, den: 1n }, next };
}

/** A number below a thousand: `three hundred and five`, `twenty one`, `a` before a power of ten. */
function readGroup(words: readonly string[], at: number): { value: number; next: number } | null {
  const first = words[at] ?? '';
  const after = words[at + 1] ?? '';
  const article = isArticle(first) && (after === 'hundred' || after === 'dozen' || SCALES.has(after));
  const small = article ? { value: 1, next: at + 1 } : readBelowHundred(words, at);
  if (small === null || words[small.next] !== 'hundred' || small.value === 0) return small;
  const joined = words[small.next + 1] === 'and';
  const rest = readBelowHundred(words, small.next + (joined ? 2 : 1));
  const base = small.value * 100;
  return rest === null || rest.value === 0
    ? { value: base, next: small.next + 1 }
    : { value: base + rest.value, next: rest.next };
}

function readBelowHundred(words: readonly string[], at: number): { value: number; next: number } | null {
  const word = words[at] ?? '';
  const small = SMALL.get(word);
  if (small !== undefined) return { value: small, next: at + 1 };
  const tens = TENS.get(word);
  if (tens === undefined) return null;
  const unit = SMALL.get(words[at + 1] ?? '') ?? 0;
  return unit > 0 && unit < 10 ? { value: tens + unit, next: at + 2 } : { value: tens, next: at + 1 };
}

function isArticle(word: string | undefined): boolean {
  return word === 'a' || word === 'an';
}
