import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { extract } from '../../../src/answers/extract.ts';
import { grade } from '../../../src/answers/grade.ts';

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

function expectSame(a: string, b: string): void {
  expect(canonicalKey(a), `${a} and ${b}`).toBe(canonicalKey(b));
  expect(grade(a, b, 'raw').equal).toBe(true);
}

function expectDifferent(a: string, b: string): void {
  expect(canonicalKey(a), `${a} and ${b}`).not.toBe(canonicalKey(b));
  expect(grade(a, b, 'raw').equal, `${a} and ${b}`).toBe(false);
  expect(grade(b, a, 'raw').equal).toBe(false);
}

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

describe('numbers in prose', () => {
  const operations =
    'the square root of N|the reciprocal of N|the opposite of N|N cubed|N squared|N factorial|N is wrong|N is impossible|' +
    'not N|about N?|more than N|no more than N|between N and 50|half of N|double N|twice N|N or so|the logarithm of N|at least N|' +
    'N does not work|minus N|negative N|maybe N|N minus one|N times two|the sine of N|all but N|divisible by N|N-fold|N percent less';

  it('are text unless the whole phrase is a number', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations.split('|')),
        fc.integer({ min: 2, max: 999 }),
        (phrase, n) => {
          expectDifferent(phrase.replace('N', String(n)), String(n));
        },
      ),
      OPTIONS,
    );
  });

  const sentences =
    'James took N hours|The answer is N|There are N apples left|She has N left|Answer: N|The total cost is N dollars|N is the answer|' +
    'The maximum is N|Jean can fill N bags|Minimum: N|After paying, she has N dollars|Thus, the total is N|USD N|total of N';
  for (const sentence of sentences.split('|')) {
    it(`are read from "${sentence}"`, () => {
      expectSame(sentence.replace('N', '17'), '17');
    });
  }

  it('tell what is said of them', () => {
    expectDifferent('The profit is 17', 'The loss is 17');
    expectDifferent('He gained 17 pounds', 'He lost 17 pounds');
  });
});

describe('digits of other scripts', () => {
  const zero = fc.constantFrom(
    0x660,
    0x6f0,
    0x966,
    0x9e6,
    0xae6,
    0xbe6,
    0xc66,
    0xce6,
    0xe50,
    0xed0,
    0x1040,
    0x17e0,
    0xff10,
  );
  const plain = fc.constantFrom('17', '105', '-7', '3.5', '1,234', '-2/3', '9876543210', '28%');

  it('are read in every mode', () => {
    fc.assert(
      fc.property(zero, plain, (start, n) => {
        const foreign = n.replace(/\d/g, (digit) => String.fromCharCode(start + Number(digit)));
        expectSame(foreign, n);
        for (const [mode, text] of [
          ['number', `so it is ${foreign}.`],
          ['gsm8k', `so\n#### ${foreign}`],
          ['boxed', `\\boxed{${foreign}}`],
        ] as const) {
          expect(grade(extract(text, { mode }), n, mode).equal, text).toBe(true);
        }
      }),
      OPTIONS,
    );
  });

  it('have the separators of Arabic and its direction marks', () => {
    expectSame('٣٫٥', '3.5');
    expectSame('١٬٢٣٤', '1234');
    expectSame('\u200f٤٢\u200f', '42');
    expectDifferent('٤٢', '24');
  });
});

describe('mode number', () => {
  it('keeps the sign before a currency, but not the dash of a list or a subtraction', () => {
    const rows = {
      'loses -$40': '-40',
      'so -\\$40.': '-40',
      'is $-40': '-40',
      'at −€1,200.50': '-1200.5',
      '- $40': '40',
      'from 5-$40': '40',
    };
    for (const [text, n] of Object.entries(rows)) {
      expect(canonicalKey(extract(text, { mode: 'number' }) ?? ''), text).toBe(canonicalKey(n));
    }
  });
});
