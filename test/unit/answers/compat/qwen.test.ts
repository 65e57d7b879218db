import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { extract } from '../../../../src/answers/extract.ts';
import { grade } from '../../../../src/answers/grade.ts';

/** Recorded from the reference code: completion and vote key. */
const KEYS: ReadonlyArray<readonly [completion: string, key: string | null]> = [
  ['So the answer is \\boxed{0.5}.', '\\frac{1}{2}'],
  ['\\boxed{\\frac12}', '\\frac{1}{2}'],
  ['\\boxed{1/2}', '\\frac{1}{2}'],
  ['\\boxed{2/4}', '\\frac{2}{4}'],
  ['\\boxed{3.0}', '3'],
  ['\\boxed{x=5}', '5'],
  ['\\boxed{1,234}', '1,234'],
  ['\\boxed{50\\%}', '50'],
  ['\\boxed{12 \\text{ cm}}', '12'],
  ['\\boxed{90^\\circ}', '90'],
  ['\\boxed{two}', '2'],
  ['\\boxed{(c)}', '()'],
  ['\\boxed{(d)}', '()'],
  ['\\boxed{a+b}', '+b'],
  ['\\boxed{}', null],
  ['I tried 3 times but give up', '3'],
  ['The answer is 7.', '7'],
  ['no digits here', null],
  ['\\boxed{\\text{Monday}}', 'Monday'],
  ['first \\boxed{3} then \\boxed{4}', '4'],
];

/** Recorded from the reference code: answer, label and reward. */
const GRADES: ReadonlyArray<readonly [answer: string, label: string, equal: boolean]> = [
  ['0.5', '\\frac{1}{2}', true],
  ['2/4', '\\frac{1}{2}', false],
  ['0.25', '\\frac{1}{4}', true],
  ['3.0', '3', true],
  ['\\frac{2}{4}', '\\frac{1}{2}', false],
  ['1234', '1,234', true],
  ['x+1', '1+x', true],
  ['', '5', false],
  ['\\sqrt{4}', '2', false],
  ['3.74\\times 10^{24}', '3.74e24', true],
];

describe('mode qwen', () => {
  for (const [completion, key] of KEYS) {
    it(`keys ${completion} as ${key}, like the reference`, () => {
      const answer = extract(completion, { mode: 'qwen' });
      expect(answer === null ? null : canonicalKey(answer, 'qwen')).toBe(key);
    });
  }

  for (const [answer, label, equal] of GRADES) {
    it(`${equal ? 'rewards' : 'does not reward'} ${answer} for ${label}, like the reference`, () => {
      expect(grade(answer, label, 'qwen').equal).toBe(equal);
    });
  }
});
