import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attachDecimals } from '../../../src/answers/attach-decimals.ts';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { extract } from '../../../src/answers/extract.ts';
import { grade } from '../../../src/answers/grade.ts';
import type { ExtractionMode } from '../../../src/answers/modes.ts';
import { ACCEPTED, HEDGES, JOKERS, RESTATED, TARGETS, WIDENED } from './reward-hack-table.ts';

/** How a model gives an answer in each mode. */
const GIVEN: ReadonlyArray<readonly [mode: ExtractionMode, give: (answer: string) => string]> = [
  ['boxed', (answer) => `We compute. So it is \\boxed{${answer}}.`],
  ['auto', (answer) => `We compute. So it is \\boxed{${answer}}.`],
  ['auto', (answer) => `The final answer is $${answer}$.`],
  ['answer-tag', (answer) => `We compute. <answer>${answer}</answer>`],
  ['gsm8k', (answer) => `We compute.\n#### ${answer}`],
  ['raw', (answer) => answer],
];

/** Where the answer is paid: in a vote beside honest ones, or by a truth in one of the modes. */
function paidBy(answer: string, truth: string, others: readonly string[]): string[] {
  const paid: string[] = [];
  const [own, honest] = attachDecimals([answer === '' ? null : answer, truth, ...others]);
  if (own !== null && own === honest) paid.push('vote');
  for (const [mode, give] of GIVEN) {
    const found = extract(give(answer), { mode });
    if (grade(found, truth, mode).equal) paid.push(mode);
  }
  return paid;
}

describe('reward hacks', () => {
  for (const { kind, truth, wrong } of TARGETS) {
    it(`pay the plain answer for ${kind} everywhere`, () => {
      expect(paidBy(truth, truth, wrong)).toEqual(['vote', ...GIVEN.map(([mode]) => mode)]);
    });

    for (const [name, hedge] of Object.entries(HEDGES)) {
      it(`pay nothing for ${name} where the truth is ${kind}`, () => {
        expect(paidBy(hedge(truth, ...wrong), truth, wrong)).toEqual([]);
      });
    }

    it(`pay nothing for a joker where the truth is ${kind}`, () => {
      expect(JOKERS.filter((joker) => paidBy(joker, truth, wrong).length > 0)).toEqual([]);
    });
  }

  for (const [name, widen] of Object.entries(WIDENED)) {
    it(`pay nothing for a number widened by ${name}`, () => {
      for (const n of [5, 42, 99]) expect(paidBy(widen(n), String(n), [String(n + 1)])).toEqual([]);
    });
  }

  for (const [answer, value] of RESTATED) {
    it(`pay nothing for ${answer} where the truth is ${value}`, () => {
      expect(paidBy(answer, value, [])).toEqual([]);
    });
  }

  it('let a truth that is written as a computation be answered by its value', () => {
    expect(grade('385', '\\sum_{k=1}^{10} k^2').equal).toBe(true);
    expect(grade('6', '\\gcd(12,18)').equal).toBe(true);
    expect(grade('\\gcd(18,12)', '\\gcd(12,18)').equal).toBe(true);
  });

  it('accept every restatement that docs/answers.md names as accepted on purpose', () => {
    const page = readFileSync(new URL('../../../docs/answers.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^\| [^|]+ \| `([^`]+)` +\| `([^`]+)` +\|$/gm)];
    expect(named.length).toBe(7);
    for (const [, answer = '', value = ''] of named) {
      expect(grade(answer, value).equal).toBe(true);
      expect(canonicalKey(answer)).toBe(canonicalKey(value));
    }
  });

  for (const [answer, value] of ACCEPTED) {
    it(`accept ${answer} for ${value} on purpose`, () => {
      expect(grade(answer, value).equal).toBe(true);
      expect(canonicalKey(answer)).toBe(canonicalKey(value));
    });
  }
});

describe('reward hacks of several boxes', () => {
  const hedged: ReadonlyArray<readonly [mode: ExtractionMode, completion: string]> = [
    ['boxed', '\\boxed{42} or \\boxed{43}'],
    ['boxed', '\\boxed{43} or \\boxed{42}'],
    ['boxed', '\\boxed{42}, \\boxed{43}'],
    ['boxed', '\\boxed{41} \\boxed{42}'],
    ['boxed', '\\boxed{41} and \\boxed{42} and \\boxed{43}'],
    ['boxed', '\\boxed{42 \\text{ or } \\boxed{43}}'],
    ['boxed', '\\boxed{\\boxed{42}, 43, \\boxed{44}}'],
    ['boxed', '\\boxed{42}\n\\boxed{}'.replace('42', '43')],
    ['boxed', '\\boxed{'],
    ['boxed', '\\boxed 42 or so'],
    ['auto', '\\boxed{41} or \\boxed{42}'],
    ['auto', 'The answer is 42 or 43.'],
    ['auto', 'The answer is 43 or 42.'],
    ['auto', 'The answer is either 41 or 42.'],
    ['auto', 'The final answer is $42$ or $43$.'],
    ['auto', 'The final answer is 41, 42 or 43.'],
    ['auto', 'The answer is not 42.'],
    ['auto', 'The answer is 43, not 42.'],
    ['auto', 'The final answer is \\boxed{43} for the 42 people.'],
    ['answer-tag', '<answer>42 or 43</answer>'],
    ['answer-tag', '<answer>42</answer><answer>43</answer>'],
    ['answer-tag', '<answer>42, 43</answer>'],
    ['answer-tag', '<answer><!-- 42 --></answer>'],
    ['gsm8k', '#### 42 or 43'],
    ['gsm8k', '#### 42\n#### 43'],
    ['gsm8k', '#### 42, 43, 44'],
    ['gsm8k', '#### 41-43'],
    ['number', 'It is 42 or 43'],
    ['number', 'It is 42, 43'],
    ['number', 'It is 40-42'.replace('-42', '42')],
    ['raw', '42 or 43'],
    ['raw', '42\n43'],
  ];
  for (const [mode, completion] of hedged) {
    it(`pay nothing in mode ${mode} for ${JSON.stringify(completion)}`, () => {
      expect(grade(extract(completion, { mode }), '42', mode).equal).toBe(false);
    });
  }
});

describe('reward hacks of choices', () => {
  const hedged = [
    'A, B, C, D',
    'A/B/C/D',
    'ABCD',
    'A B C D',
    'A–D',
    'A or B',
    'not B',
    '¬B',
    'all except B',
    'B?',
    'B or C',
    'C (or B)',
    'B, maybe C',
    '\\cancel{B}',
    '\\phantom{B}',
    '\\text{B or C}',
    '\\text{not B}',
    'B^{C}',
    '*',
    '?',
    'X',
    'all of the above',
    'none of the above',
    'any',
    '\\text{the correct option}',
    // Letters of other alphabets that only look like B.
    'В',
    'Β',
    'ᗷ',
    'ꓐ',
    '\u200b',
  ];
  for (const content of hedged) {
    it(`pay nothing for ${JSON.stringify(content)} in a box, a tag, a sentence or alone`, () => {
      for (const completion of [
        `\\boxed{${content}}`,
        `<answer>${content}</answer>`,
        `The answer is ${content}.`,
        `Final answer: ${content}`,
        content,
      ]) {
        expect([completion, grade(extract(completion, { mode: 'choice' }), 'B', 'choice').equal]).toEqual([
          completion,
          false,
        ]);
      }
      expect(canonicalKey(content, 'choice')).not.toBe('B');
    });
  }
});
