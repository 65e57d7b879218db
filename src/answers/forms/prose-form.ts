import { isPlainLead, readLabel, wordsOf } from '../math/label.ts';
import { parseNumberLiteral } from '../math/number-literal.ts';
import { parse } from '../math/parse.ts';
import { scanNumber } from '../math/scan-number.ts';
import { isUnitWord } from '../math/unit-words.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import type { Form } from './form.ts';
import { labelledForm } from './labelled-form.ts';
import { complement } from './real-set.ts';
import { readRealSet, setForm } from './set-form.ts';

const EXCEPT =
  /^(?:all |any )?(?:real numbers?|reals)(?: [a-z])?,? (?:except|but|other than|excluding)(?: for)? (.{1,80})$/i;
/** After these, a number alone is the answer: `answer 9`, `total 12`. */
const TITLES = new Set(
  'answer total result solution value sum option step case page room number question statement only just exactly equals so thus therefore hence'.split(
    ' ',
  ),
);
/** Nouns that take their number with `of`; `the square root of 17` is another number. */
const OF = new Set(
  'total sum probability chance distance length value answer cost price height width area volume'.split(' '),
);
/** Words before a number that make a bound, an estimate, or another number of it. */
const QUALIFIER =
  /\b(?:to|from|by|about|approximately|between|square|cube|log|sin|cos|tan|ln|sqrt|sine|cosine|tangent)$/i;
/** A sentence about what somebody has tells with `left` what remains. */
const POSSESSION = /\b(?:has|have|had|are|is|were|was|with)\b/i;

/** What a sentence answers: "all real numbers except …", or the only number in it; null for anything else. */
export function proseForm(text: string): Form | null {
  const except = EXCEPT.exec(text);
  if (except !== null) {
    const excluded = parse((except[1] ?? '').replace(/^[a-z] ?= ?/i, ''));
    const set = excluded === null ? null : readRealSet(excluded);
    return set === null ? null : setForm(complement(set));
  }
  return readOnlyNumber(text);
}

/** "James took 17 hours" answers 17. Any mathematics beside the number, or a second number, and it answers nothing. */
function readOnlyNumber(text: string): Form | null {
  if (text.length > 200 || /[\\^_={}<>*/|+[\]?]/.test(text) || !/[A-Za-z]{3}/.test(text)) return null;
  const at = text.search(/\d/);
  if (at < 0) return null;
  const start = text.charAt(at - 1) === '.' ? at - 1 : at;
  const before = text.slice(0, start);
  const number = scanNumber(text, start, true);
  const after = text.slice(number.end);
  if (/\d/.test(after) || /[\p{L}.\d]$/u.test(before)) return null;
  if (/^[A-Za-z]{0,1}$/.test(after.trim()) && before.trim() === '') return null;
  const negative = /(?:^|\s)-$/.test(before);
  if (!isLead(negative ? before.slice(0, -1) : before)) return null;
  const literal = parseNumberLiteral(number.literal);
  if (literal === null) return null;
  const label = readTail(after, POSSESSION.test(before));
  if (label === null) return null;
  const value = negative ? { num: -literal.value.num, den: literal.value.den } : literal.value;
  const scalar = { kind: 'exact', value } as const;
  const form: Form = {
    kind: 'scalar',
    key: scalarKey(scalar),
    scalar,
    decimals: literal.decimals,
    percent: /^\s?%/.test(after),
  };
  return label === '' ? form : labelledForm(form, label, true);
}

/** Whether what stands before the number only introduces it. */
function isLead(before: string): boolean {
  const text = before.trim();
  const words = wordsOf(text).map((word) => word.toLowerCase());
  const last = words.at(-1) ?? '';
  if (words.length === 0) return true;
  if (QUALIFIER.test(text)) return false;
  if (last === 'of') return words.some((word) => OF.has(word)) && isPlainLead(words);
  if (words.length === 1 && !/[^\p{L}]$/u.test(text)) return TITLES.has(last) || isUnitWord(last);
  return isPlainLead(words);
}

/** The label of a tail that does not turn the number, empty where it is dropped; null for one that does. */
function readTail(after: string, remaining: boolean): string | null {
  const words = wordsOf(after);
  // `Johnny had $60 after a year`
  const later = words[0]?.toLowerCase() === 'after' ? words.slice(1) : words;
  const label = readLabel(later, remaining);
  if (label.sense === 'turn') return null;
  return label.sense === 'unit' ? '' : label.text;
}
