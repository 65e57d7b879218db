import { describe, expect, it } from 'vitest';
import { extract } from '../../../src/answers/extract.ts';
import { analyse } from '../../../src/answers/forms/analyse.ts';
import { grade } from '../../../src/answers/grade.ts';
import { answerBudget, spend, withBudget } from '../../../src/answers/numeric/work-budget.ts';

const repeat = (text: string, count: number): string => text.repeat(count);

const ANSWERS: ReadonlyArray<readonly [what: string, answer: string]> = [
  ['a tower of powers', '9^{9^{9^9}}'],
  ['a hundred nested powers', `${repeat('9^{', 100)}9${repeat('}', 100)}`],
  ['a power with a huge exponent', '2^{10^9}'],
  ['a huge factorial', '100000!'],
  ['factorials of factorials', '5!!!!!!!!'],
  ['a hundred factorials', `${repeat('2999!\\cdot ', 100)}1`],
  ['ten thousand open braces', repeat('{', 10_000)],
  ['a thousand brackets', `${repeat('(', 1000)}1${repeat(')', 1000)}`],
  ['two thousand nested fractions', `${repeat('\\frac{1}{', 2000)}2${repeat('}', 2000)}`],
  ['a hundred nested fractions', `${repeat('\\frac{1}{1+', 100)}x${repeat('}', 100)}`],
  ['a sum of a thousand million terms', '\\sum_{k=1}^{1000000000} k'],
  ['a sum of big powers', '\\sum_{k=1}^{3000} k^k'],
  ['a sum of fractions', '\\sum_{k=1}^{9000} \\frac1k'],
  ['nested sums', '\\sum_{i=1}^{100}\\sum_{j=1}^{100}\\sum_{k=1}^{100} ijk'],
  ['a common divisor of huge numbers', '\\gcd(2^{100000}+1, 3^{60000}+1)'],
  ['a fraction of huge numbers', '\\frac{2^{100000}+1}{3^{60000}+1}'],
  ['four thousand digits', repeat('9', 4000)],
  ['a list of many numbers', Array.from({ length: 900 }, (_, i) => (i * 7) % 901).join(',')],
  [
    'a union of many intervals',
    Array.from({ length: 200 }, (_, i) => `(${2 * i},${2 * i + 1})`).join('\\cup'),
  ],
  ['many excluded points', Array.from({ length: 300 }, (_, i) => `x \\ne ${i}`).join(', ')],
  ['three thousand factorial signs', `5${repeat('!', 3000)}`],
  ['a thousand exponents', `x${repeat('^2', 1000)}`],
  ['a chain of divisions', `${repeat('1/', 1900)}1`],
  ['nested text groups', `${repeat('\\text{', 500)}a${repeat('}', 500)}`],
  ['many signs', `${repeat('1\\pm', 500)}2`],
  ['a large symbolic power', '(x+y+z+w+1)^{200}'],
  ['an answer of 100 kB', repeat('x+', 50_000)],
  ['a lone surrogate', '\ud800'],
  ['a property name', '__proto__'],
];

const COMPLETIONS: ReadonlyArray<readonly [what: string, completion: string]> = [
  ['50,000 openings of inline formulas', repeat('\\(', 50_000)],
  ['50,000 openings of displays', repeat('\\[', 50_000)],
  ['dollar signs', repeat('$', 100_000)],
  ['ten thousand boxes', repeat('\\boxed{1} ', 10_000)],
  ['ten thousand open boxes', repeat('\\boxed{', 10_000)],
  ['ten thousand nested boxes', `${repeat('\\boxed{', 10_000)}1${repeat('}', 10_000)}`],
  ['open reasoning blocks', repeat('<think>', 20_000)],
  ['closed reasoning blocks', repeat('</think>', 20_000)],
  ['answer tags', `<answer>${repeat('</answer>', 20_000)}`],
  ['announcements', repeat('the answer is ', 10_000)],
  ['options', repeat('answer A ', 20_000)],
  ['digits', repeat('1', 200_000)],
  ['commas', repeat('1,', 100_000)],
  ['emphasis', repeat('**', 100_000)],
  ['closing delimiters', repeat('\\]', 50_000)],
  ['turn markers', repeat('<|im_start|>', 20_000)],
  ['fences', repeat('```\n', 40_000)],
];

describe('hostile answers', () => {
  for (const [what, answer] of ANSWERS) {
    it(`ends within its step budget for ${what}`, () => {
      const left = withBudget(() => {
        const form = analyse(answer);
        expect(form?.key.length ?? 0).toBeLessThanOrEqual(300);
        return answerBudget().left;
      });
      // A step may overdraw the budget by what it costs itself, never by more.
      expect(left).toBeGreaterThan(-2_000_000_000);
      expect(analyse(answer)?.key).toBe(analyse(answer)?.key);
    });
  }

  it('refuses work once the budget is spent', () => {
    const budget = { left: 10 };
    expect(spend(budget, 9)).toBe(true);
    expect(spend(budget, 9)).toBe(false);
  });

  it('compares long lists by their keys', () => {
    const up = Array.from({ length: 700 }, (_, i) => i).join(',');
    const down = Array.from({ length: 700 }, (_, i) => 699 - i).join(',');
    expect(grade(up, down).equal).toBe(true);
    expect(grade(up, `${down.slice(0, -1)}7`).equal).toBe(false);
  });
});

describe('hostile completions', () => {
  for (const [what, completion] of COMPLETIONS) {
    it(`gives an answer or none for ${what}, in every mode`, () => {
      for (const mode of ['auto', 'boxed', 'answer-tag', 'gsm8k', 'choice', 'number', 'code'] as const) {
        const found = extract(completion, { mode, fallback: 'last' });
        expect(found === null || found !== '').toBe(true);
      }
    });
  }

  it('gives an answer or none for every prefix of a completion', () => {
    const text =
      'We have $\\frac{1}{2}$ of \\(x\\), so\n\\[ x = \\boxed{\\frac{3}{4}} \\]\nFinal Answer: The final answer is $\\frac34$. #### 5 <answer>(B)</answer>';
    for (let end = 0; end <= text.length; end += 1) {
      for (const mode of ['auto', 'boxed', 'choice', 'number'] as const) {
        const found = extract(text.slice(0, end), { mode, truncated: true });
        expect(found === null || found !== '').toBe(true);
      }
    }
  });
});
