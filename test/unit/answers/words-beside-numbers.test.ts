import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grade } from '../../../src/answers/grade.ts';
import { expectDifferent, expectSame } from './expect-answers.ts';

const OPTIONS = { seed: 12, numRuns: 600 };
const number = fc.constantFrom('5', '12', '20\\%', '3.5', '\\frac{1}{2}', '-7', '36', '1,234', '0.25');

/** A number with words, as models write it. */
const SPELLINGS: ReadonlyArray<(number: string, words: string) => string> = [
  (n, w) => `${n} ${w}`,
  (n, w) => `${n}\\text{ ${w}}`,
  (n, w) => `${n} \\text{${w}}`,
  (n, w) => `${n}~\\mathrm{${w.replaceAll(' ', '~')}}`,
  (n, w) => `$${n}$ ${w}`,
  (n, w) => `$${n}\\ \\text{${w}}$`,
];
const spelling = fc.constantFrom(...SPELLINGS);

describe('words that turn a number', () => {
  const contrasts =
    'profit/loss|gain/loss|up/down|left/right|heads/tails|years ago/years from now|increase/decrease|east/west|north/south|' +
    'clockwise/counterclockwise|above sea level/below sea level|degrees above zero/degrees below zero|steps forward/steps back|' +
    'meters ahead/meters behind|minutes early/minutes late|dollars in debt/dollars in credit|BCE/AD|days before/days after|wins/losses|' +
    'positive/negative|points higher/points lower|squared/cubed|over par/under par|uphill/downhill|apples lost/apples gained|' +
    'to the left/to the right|short/over|right/wrong|tenths/hundredths|upwards/downwards|northeast/southwest|deficit/surplus|' +
    'links/rechts|gauche/droite|arriba/abajo';
  const pair = fc.constantFrom(...contrasts.split('|').map((line) => line.split('/')));

  it('keep answers apart in every spelling, from each other and from the bare number', () => {
    fc.assert(
      fc.property(number, pair, spelling, spelling, (n, [a = '', b = ''], one, other) => {
        expectSame(one(n, a), other(n, a));
        expectDifferent(one(n, a), other(n, b));
        expectDifferent(one(n, a), n);
      }),
      OPTIONS,
    );
  });

  it('are not needed to be known: any two unknown words are two answers', () => {
    const word = fc.stringMatching(/^[bdfgkz][aeiou][bdgkmnprtz][aeiou][bdgkmnprt]$/);
    fc.assert(
      fc.property(number, word, word, spelling, (n, a, b, one) => {
        if (a !== b) expectDifferent(one(n, a), one(n, b));
      }),
      OPTIONS,
    );
  });
});

describe('units and counted nouns', () => {
  const units =
    'apples|cm|hours|square meters|years old|square units|cubic feet|miles per hour|people|children|packs of gum|pages left|' +
    'apples remaining|apples in total|different ways|liters|degrees|students|dollars per day|sq cm|hours a day|Stunden|heures|horas|euros';

  it('leave the number as it is in every spelling', () => {
    fc.assert(
      fc.property(number, fc.constantFrom(...units.split('|')), spelling, (n, unit, one) => {
        expectSame(one(n, unit), n);
      }),
      OPTIONS,
    );
  });

  const symbols =
    '20 cm^2|20 cm²|20cm^2|7 km^2|9.8 m/s^2|9.8 m/s²|9.8\\,m/s^2|6 Ω|6Ω|4.7 kΩ|5 µA|5 μA|3 kWh|12 N·m|5 m s^{-2}|5 kg/m^3|25 °C|' +
    '5\\ \\mathrm{m\\,s^{-1}}|15个|500円|8元|15本|36명|₹500|€5|5 €|60km/h|58 m^2|58 m³|-5 m/s|8.314 J/(mol·K)|5 kg·m/s|12 kV|20 cm^2.';
  for (const answer of symbols.split('|')) {
    it(`are symbols and counters too: ${answer}`, () => {
      expectSame(answer, /-?\d+(?:\.\d+)?/.exec(answer)?.[0] ?? '');
    });
  }

  it('are symbols behind a power of ten', () => {
    expectSame('3.0 \\times 10^8 m/s', '300000000');
  });

  const algebra = '5x^2|3t^2|4 s|5m^2|5 m|5d|2 n^2|6\\Omega|2 m n|5 m/n|3 m g|5\\mu A|2 h^3|7 AB';
  for (const answer of algebra.split('|')) {
    it(`are not the variables of ${answer}`, () => {
      expectDifferent(answer, /\d+/.exec(answer)?.[0] ?? '');
    });
  }

  it('are not read behind an expression', () => {
    expectDifferent('x^2 + 3 m^2', 'x^2 + 3');
    expectSame('2m^2+1', '1+2m^2');
  });
});

describe('labelled numbers', () => {
  const nouns =
    'chickens/rabbits|boys/girls|red/blue|adults/children|red balls/blue balls|hours/minutes|meters/seconds|wins/draws';
  const labels = fc.constantFrom(...nouns.split('|').map((line) => line.split('/')));
  const values = fc.uniqueArray(fc.constantFrom('12', '23', '1', '\\frac12', '2.5'), {
    minLength: 2,
    maxLength: 2,
  });
  const lists: ReadonlyArray<(a: string, x: string, b: string, y: string) => string> = [
    (a, x, b, y) => `${x} ${a}, ${y} ${b}`,
    (a, x, b, y) => `${y} ${b} and ${x} ${a}`,
    (a, x, b, y) => `${x}\\text{ ${a}}, ${y}\\text{ ${b}}`,
    (a, x, b, y) => `${x} \\text{ ${a} and } ${y} \\text{ ${b}}`,
    (a, x, b, y) => `\\text{${b}: }${y}, \\text{${a}: }${x}`,
    (a, x, b, y) => `${a}: ${x}, ${b}: ${y}`,
    (a, x, b, y) => `${b} = ${y}, ${a} = ${x}`,
    (a, x, b, y) => `(${x} ${a}, ${y} ${b})`,
  ];
  const list = fc.constantFrom(...lists);

  it('are one answer in any order and spelling, and another with the labels swapped', () => {
    fc.assert(
      fc.property(labels, values, list, list, ([a = '', b = ''], [x = '', y = ''], one, other) => {
        expectSame(one(a, x, b, y), other(a, x, b, y));
        expectDifferent(one(a, x, b, y), other(a, y, b, x));
      }),
      OPTIONS,
    );
  });

  it('are not sorted where a label comes twice', () => {
    expectDifferent('2 apples, 3 pears, 4 apples, 5 pears', '2 apples, 5 pears, 4 apples, 3 pears');
    expectDifferent('2 apples, 3 pears; 4 apples, 5 pears', '2 pears, 3 apples; 4 pears, 5 apples');
  });

  it('are a bare list with one unit for all, or at the end', () => {
    expectSame('3 cm, 4 cm', '4, 3');
    expectSame('3, 4 \\text{ cm}', '3,4');
  });
});

describe('units of a rate', () => {
  it.each([
    ['5 miles per hour', '5 km per hour'],
    ['5 m/s', '5 km/h'],
    ['5\\text{ m/s}', '5\\text{ km/h}'],
    ['5 \\mathrm{m}/\\mathrm{s}', '5 \\mathrm{km}/\\mathrm{h}'],
    ['5 m/s', '5 m/s^2'],
    ['60 beats per minute', '60 beats per second'],
    ['4 dollars per pound', '4 dollars per ounce'],
    ['5 g/cm^3', '5 kg/m^3'],
  ])('are no less told apart than others: %s is not accepted for %s', (a, b) => {
    expect(grade(a, b, 'raw').equal).toBe(false);
    expect(grade(b, a, 'raw').equal).toBe(false);
  });

  it.each([
    ['5 miles per hour', '5 mph'],
    ['5 m/s', '5 meters per second'],
    ['5 \\text{ m/s}', '5 m/s'],
    ['5', '5 mph'],
    ['\\$5 per hour', '5 dollars per hour'],
    ['12 apples per box', '12 apples'],
  ])('have many spellings: %s is accepted for %s', (a, b) => {
    expect(grade(a, b, 'raw').equal).toBe(true);
    expect(grade(b, a, 'raw').equal).toBe(true);
  });
});
