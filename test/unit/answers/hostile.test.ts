import { describe, expect, it } from 'vitest';
import { HOSTILE_ANSWERS, HOSTILE_COMPLETIONS } from '../../../bench/answers-hostile.ts';
import { extract } from '../../../src/answers/extract.ts';
import { analyse } from '../../../src/answers/forms/analyse.ts';
import { grade } from '../../../src/answers/grade.ts';
import { answerBudget, spend, withBudget } from '../../../src/answers/numeric/work-budget.ts';

describe('hostile answers', () => {
  for (const [what, answer] of HOSTILE_ANSWERS) {
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
  for (const [what, completion] of HOSTILE_COMPLETIONS) {
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
