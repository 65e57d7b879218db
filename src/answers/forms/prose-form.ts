import { parseNumberLiteral } from '../math/number-literal.ts';
import { parse } from '../math/parse.ts';
import { scanNumber } from '../math/scan-number.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import type { Form } from './form.ts';
import { complement } from './real-set.ts';
import { readRealSet, setForm } from './set-form.ts';

const EXCEPT =
  /^(?:all |any )?(?:real numbers?|reals)(?: [a-z])?,? (?:except|but|other than|excluding)(?: for)? (.{1,80})$/i;
/** Words that turn a number into a bound, a negation or a part of something else. */
const QUALIFIER =
  /\b(?:not?|never|none|neither|nor|least|most|more|less|than|fewer|over|under|above|below|between|except|mod|modulo|base|or|to|from|cannot|half|twice|double|thousand|million|billion|dozen|hundred)\b/i;

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
  if (text.length > 200 || /[\\^_={}<>*/|+[\]]/.test(text) || !/[A-Za-z]{3}/.test(text)) return null;
  const at = text.search(/\d/);
  if (at < 0 || QUALIFIER.test(text)) return null;
  const start = text.charAt(at - 1) === '.' ? at - 1 : at;
  const before = text.slice(0, start);
  const number = scanNumber(text, start, true);
  const after = text.slice(number.end);
  if (/\d/.test(after) || /[A-Za-z.\d]$/.test(before)) return null;
  if (/^[A-Za-z]{0,1}$/.test(after.trim()) && before.trim() === '') return null;
  const negative = /(?:^|\s)-$/.test(before);
  const literal = parseNumberLiteral(number.literal);
  if (literal === null) return null;
  const value = negative ? { num: -literal.value.num, den: literal.value.den } : literal.value;
  const scalar = { kind: 'exact', value } as const;
  return {
    kind: 'scalar',
    key: scalarKey(scalar),
    scalar,
    decimals: literal.decimals,
    percent: /^\s?%/.test(after),
  };
}
