import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { extract } from '../../../src/answers/extract.ts';
import { grade } from '../../../src/answers/grade.ts';
import { EXTRACTION_MODES, type ExtractionMode } from '../../../src/answers/modes.ts';

const RUNS = { seed: 20261130, numRuns: 300 };

interface Fraction {
  top: number;
  bottom: number;
}

const fraction: fc.Arbitrary<Fraction> = fc
  .tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 60 }))
  .map(([top, bottom]) => ({ top, bottom }));

/** Spellings of one fraction. */
function spell({ top, bottom }: Fraction, style: number, factor: number): string {
  const sign = top < 0 ? '-' : '';
  const size = Math.abs(top);
  switch (style % 8) {
    case 0:
      return `\\frac{${top}}{${bottom}}`;
    case 1:
      return `${sign}\\dfrac{${size * factor}}{${bottom * factor}}`;
    case 2:
      return `$${top}/${bottom}$`;
    case 3:
      return `x = ${sign}${Math.floor(size / bottom)}\\frac{${size % bottom}}{${bottom}}`;
    case 4:
      return `\\left(${top}\\right) \\div ${bottom}`;
    case 5:
      return ` ${sign}\\frac{${size}}{${bottom}} \\text{ units} `;
    case 6:
      return `\\boxed{\\frac{${top + bottom}}{${bottom}} - 1}`;
    default:
      return `${top} \\cdot \\frac1{${bottom}}.`;
  }
}

const style = fc.nat({ max: 7 });
const factor = fc.integer({ min: 2, max: 9 });

/** Answers of several kinds, in one spelling each. */
const answer: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fraction, style, factor).map(([value, how, by]) => spell(value, how, by)),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 2, max: 30 }))
    .map(([a, b]) => `${a}\\sqrt{${b}}`),
  fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 4 }).map((items) => items.join(', ')),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })).map(([a, b]) => `(${a}, ${b})`),
  fc.tuple(fc.integer({ min: -9, max: 0 }), fc.integer({ min: 1, max: 9 })).map(([a, b]) => `[${a}, ${b})`),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: 9 }))
    .map(([a, b]) => `y = ${a}x + ${b}`),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([a, b]) => `${a} + ${b}i`),
  fc.constantFrom(
    '\\text{east}',
    'No solution',
    '52_8',
    'x > 3',
    '3x + 1 = 0',
    '\\pm 2',
    '\\sin 2x',
    '7:3',
    '40\\%',
    '0.333333',
  ),
);

describe('vote keys', () => {
  it('are the same for all spellings of a number', () => {
    fc.assert(
      fc.property(fraction, style, style, factor, (value, first, second, by) => {
        expect(canonicalKey(spell(value, first, by))).toBe(canonicalKey(spell(value, second, by)));
      }),
      RUNS,
    );
  });

  it('differ for different numbers', () => {
    fc.assert(
      fc.property(fraction, fraction, style, style, factor, (a, b, first, second, by) => {
        fc.pre(a.top * b.bottom !== b.top * a.bottom);
        expect(canonicalKey(spell(a, first, by))).not.toBe(canonicalKey(spell(b, second, by)));
      }),
      RUNS,
    );
  });

  it('are the same for a product and its expansion, and differ once a coefficient changes', () => {
    const coefficient = fc.integer({ min: -7, max: 7 });
    fc.assert(
      fc.property(coefficient, coefficient, coefficient, coefficient, (a, b, c, d) => {
        const product = `(${a}x + ${b})(${c}x + ${d}y)`;
        const expanded = `${a * c}x^2 + ${a * d}xy + ${b * c} x + ${b * d} y`;
        expect(canonicalKey(product)).toBe(canonicalKey(expanded));
        expect(canonicalKey(product)).not.toBe(canonicalKey(`${expanded} + y`));
      }),
      RUNS,
    );
  });

  it('do not change when delimiters, sizing or spaces are added', () => {
    const wrap = fc.constantFrom(
      (text: string) => `$${text}$`,
      (text: string) => `\\( ${text} \\)`,
      (text: string) => `\\[\n${text}\n\\]`,
      (text: string) => `  ${text} `,
      (text: string) => `\\displaystyle ${text}`,
      (text: string) => `\\boxed{${text}}`,
      (text: string) => `**${text}**`,
    );
    fc.assert(
      fc.property(answer, wrap, (text, rewrite) => {
        fc.pre(!text.includes('$'));
        expect(canonicalKey(rewrite(text))).toBe(canonicalKey(text));
      }),
      RUNS,
    );
  });

  it('are short and given without an exception for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), mathSoup()), (text) => {
        const key = canonicalKey(text);
        expect(key === null || (key !== '' && key.length <= 300)).toBe(true);
      }),
      { ...RUNS, numRuns: 1500 },
    );
  });
});

describe('grading', () => {
  it('accepts every answer for itself', () => {
    fc.assert(
      fc.property(fc.oneof(answer, fc.string({ maxLength: 60 }), mathSoup()), (text) => {
        fc.pre(canonicalKey(text) !== null);
        expect(grade(text, text).equal).toBe(true);
      }),
      RUNS,
    );
  });

  it('is symmetric, and accepts whatever has the same key', () => {
    fc.assert(
      fc.property(answer, answer, (a, b) => {
        expect(grade(a, b).equal).toBe(grade(b, a).equal);
        if (canonicalKey(a) === canonicalKey(b)) expect(grade(a, b).equal).toBe(true);
      }),
      { ...RUNS, numRuns: 1000 },
    );
  });
});

describe('extraction', () => {
  it('gives back what was wrapped, whatever stands around it', () => {
    const prefix = fc.constantFrom(
      '',
      'We add 3 and 4.\n\n',
      'Since $x = 2$, we get \\boxed{1}. Wait, no.\n',
      '<think>\\boxed{5}</think>',
    );
    const suffix = fc.constantFrom('', '.', '\n\nThis is 1 way to do it', ' (see above).');
    const wrap = fc.constantFrom(
      ['boxed', (text: string) => `So \\boxed{${text}}`] as const,
      ['auto', (text: string) => `Therefore $\\boxed{${text}}$`] as const,
      ['answer-tag', (text: string) => `<answer>${text}</answer>`] as const,
      ['auto', (text: string) => `**Final Answer:** $${text}$`] as const,
      ['gsm8k', (text: string) => `\n#### ${text}\n`] as const,
    );
    fc.assert(
      fc.property(answer, prefix, suffix, wrap, (text, before, after, [mode, around]) => {
        fc.pre(!/\$|boxed/.test(text));
        const found = extract(`${before}${around(text)}${after}`, { mode });
        expect(found === null ? null : canonicalKey(found)).toBe(canonicalKey(text));
      }),
      RUNS,
    );
  });

  it('gives null or a non-empty answer, without an exception, for any text in any mode', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), mathSoup()),
        fc.constantFrom(...EXTRACTION_MODES),
        fc.boolean(),
        (text, mode: ExtractionMode, truncated) => {
          const found = extract(text, { mode, truncated, pattern: 'x(.*)' });
          expect(found === null || found.length > 0).toBe(true);
        },
      ),
      { ...RUNS, numRuns: 1500 },
    );
  });
});

/** Pieces of mathematics and prose in any order. */
function mathSoup(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    '\\frac',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '\\{',
    '\\}',
    '1',
    '23',
    '0.5',
    'x',
    'y',
    '+',
    '-',
    '\\cdot',
    '/',
    '^',
    '_',
    ',',
    ';',
    '=',
    '<',
    '\\le',
    '|',
    '\\sqrt',
    '\\sin',
    '\\pi',
    'i',
    'e',
    '!',
    '%',
    '\\text{cm}',
    '\\begin{pmatrix}',
    '\\end{pmatrix}',
    '&',
    '\\\\',
    '\\pm',
    '\\cup',
    '\\in',
    '\\infty',
    '\\sum',
    '\\int',
    'dx',
    '$',
    '\\boxed{',
    '<answer>',
    '</answer>',
    '####',
    ' ',
    '\n',
    'the answer is',
    'A',
    '(B)',
    'and',
    'or',
    '\\left',
    '\\right',
    '\\left(',
    '\\right)',
    ':',
    '\\mathbb{R}',
    '\\ldots',
    'word',
    '\\log',
    '\\binom',
  );
  return fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' '));
}
