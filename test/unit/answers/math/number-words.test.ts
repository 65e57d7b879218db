import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSpelledNumber } from '../../../../src/answers/math/number-words.ts';

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** An independent speller, British (`and`) or American. */
function spell(value: number, and: boolean): string {
  if (value < 20) return SMALL[value] ?? '';
  if (value < 100)
    return [TENS[Math.floor(value / 10) - 2], value % 10 === 0 ? '' : SMALL[value % 10]]
      .filter(Boolean)
      .join('-');
  for (const [scale, word] of [
    [1e9, 'billion'],
    [1e6, 'million'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (value < scale) continue;
    const rest = value % scale;
    const joiner = and && rest > 0 && rest < 100 ? ' and ' : ' ';
    return `${spell(Math.floor(value / scale), and)} ${word}${rest === 0 ? '' : joiner + spell(rest, and)}`;
  }
  return '';
}

describe('readSpelledNumber', () => {
  it('reads every number as it is spelled, British or American, with its sign', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 2_000_000_000 }));
    fc.assert(
      fc.property(value, fc.boolean(), fc.constantFrom('', 'minus ', 'negative '), (number, and, sign) => {
        const read = readSpelledNumber(sign + spell(number, and));
        const expected = sign === '' || number === 0 ? number : -number;
        expect(read).toEqual({ value: { num: BigInt(expected), den: 1n }, rest: [] });
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  const phrases: ReadonlyArray<readonly [string, string, string]> = [
    ['three quarters', '3/4', ''],
    ['one half', '1/2', ''],
    ['a third', '1/3', ''],
    ['negative two-thirds', '-2/3', ''],
    ['eleven sixteenths', '11/16', ''],
    ['two and a half', '5/2', ''],
    ['three point one four', '157/50', ''],
    ['two dozen', '24/1', ''],
    ['twelve red apples', '12/1', 'red apples'],
    ['five and six', '5/1', 'and six'],
    ['twenty twelve', '20/1', 'twelve'],
    ['two thirds of them', '2/3', 'of them'],
  ];
  for (const [phrase, value, rest] of phrases) {
    it(`reads "${phrase}" as ${value}, and leaves "${rest}"`, () => {
      const read = readSpelledNumber(phrase);
      expect(`${read?.value.num}/${read?.value.den}`).toBe(value);
      expect(read?.rest.join(' ')).toBe(rest);
    });
  }

  for (const phrase of [
    '',
    'apples',
    'a',
    'an apple',
    'and five',
    'minus',
    'point five',
    'hundred',
    'second',
  ]) {
    it(`finds no number at the start of "${phrase}"`, () => {
      expect(readSpelledNumber(phrase)).toBeNull();
    });
  }
});
