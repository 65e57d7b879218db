import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { extract } from '../../../src/answers/extract.ts';
import { grade } from '../../../src/answers/grade.ts';
import { expectDifferent, expectSame } from './expect-answers.ts';

const OPTIONS = { seed: 12, numRuns: 600 };

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
