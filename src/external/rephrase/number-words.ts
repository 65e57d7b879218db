/** English words for whole numbers. */
const UNITS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
};

const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

/** Powers of ten that multiply what stands before them. */
export const SCALES: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
};

/** What some words say beside counting. Not a pair or a couple, which are said of things and of people. */
export const OTHER_NUMBERS: Readonly<Record<string, string>> = {
  half: '1/2',
  halves: '1/2',
  twice: '2',
  double: '2',
  doubles: '2',
  doubled: '2',
  thrice: '3',
  triple: '3',
  triples: '3',
  tripled: '3',
  quadruple: '4',
  quadrupled: '4',
  dozen: '12',
  dozens: '12',
};

/** Ordinals, which name a fraction's denominator too: two thirds. */
export const ORDINALS: Readonly<Record<string, string>> = {
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  quarter: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
  eleventh: '11',
  twelfth: '12',
};

/** Words that may but need not be meant as a number, so that a rewrite may have them or not. */
export const LOOSE_WORDS: ReadonlySet<string> = new Set(['zero', 'one', ...Object.keys(ORDINALS)]);

/** The value of the number that starts at `words[at]` and how many words it takes; null where none starts. */
export function readNumberWords(
  words: readonly string[],
  at: number,
): { readonly value: number; readonly length: number } | null {
  let total = 0;
  let part: number | null = null;
  let length = 0;
  for (let i = at; i < words.length; i++) {
    const word = words[i] ?? '';
    const next = extend(part, word);
    if (next !== null) part = next;
    else if (part !== null && Object.hasOwn(SCALES, word)) {
      const scale = 10 ** (SCALES[word] ?? 0);
      if (scale === 100) part *= scale;
      else {
        total += part * scale;
        part = 0;
      }
    } else if (part !== null && word === 'and' && continues(words, i)) continue;
    else break;
    length = i - at + 1;
  }
  return part === null ? null : { value: total + part, length };
}

/** `twenty` and `five` make one number, `five` and `three` two. */
function extend(part: number | null, word: string): number | null {
  const below = part === null ? 0 : part % 100;
  const isUnit = Object.hasOwn(UNITS, word);
  if (!isUnit && !Object.hasOwn(TENS, word)) return null;
  const value = isUnit ? (UNITS[word] ?? 0) : (TENS[word] ?? 0);
  if (part === null) return value;
  const fits = below === 0 || (isUnit && value > 0 && value < 10 && below >= 20 && below % 10 === 0);
  return fits ? part + value : null;
}

/** The `and` of `one hundred and five`, not that of `five and six`. */
function continues(words: readonly string[], at: number): boolean {
  const next = words[at + 1] ?? '';
  const follows = Object.hasOwn(UNITS, next) || Object.hasOwn(TENS, next);
  return follows && Object.hasOwn(SCALES, words[at - 1] ?? '');
}
