import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { extract } from '../../../../src/answers/extract.ts';
import { grade } from '../../../../src/answers/grade.ts';

/** Recorded from the reference code: content of the tag and vote key. */
const KEYS: ReadonlyArray<readonly [content: string, key: string | null]> = [
  ['C', 'C'],
  ['C. Pythagorean theorem', 'C'],
  ['(c)', 'C'],
  ['option C', 'C'],
  ['The answer is C', 'C'],
  ['D is the midpoint of AC', 'DisthemidpointofAC'],
  ['90 degrees (D)', '90degrees(D)'],
  ['45°', '45'],
  ['45^\\circ', '45'],
  ['45度', '45'],
  ['√2', '\\sqrt{2}'],
  ['2π', '2\\pi'],
  ['a', 'A'],
  ['e', 'E'],
  ['A: 3 cm', 'A'],
  ['cat', 'cat'],
  ['Cat', 'Cat'],
  ['', null],
  ['choice b) 5', 'B'],
  ['0.5', '\\frac{1}{2}'],
  ['$\\sqrt{2}$', '$\\sqrt{2}$'],
];

/** Recorded from the reference code: answer, truth and reward. */
const GRADES: ReadonlyArray<readonly [answer: string, truth: string, equal: boolean]> = [
  ['C. foo', 'C', true],
  ['C', 'C. foo', true],
  ['45°', '45', true],
  ['√2', '\\sqrt{2}', true],
  ['D is the midpoint', 'D', false],
  ['b', 'B', true],
  ['3', 'C', false],
  ['cat', 'Cat', true],
];

describe('mode vlm', () => {
  for (const [content, key] of KEYS) {
    it(`keys <answer>${content}</answer> as ${key}, like the reference`, () => {
      const answer = extract(`<think>hmm</think><answer>${content}</answer>`, { mode: 'vlm' });
      expect(answer === null ? null : canonicalKey(answer, 'vlm')).toBe(key);
    });
  }

  it('takes no answer without the tag', () => {
    expect(extract('(C) no tag', { mode: 'vlm' })).toBeNull();
  });

  for (const [answer, truth, equal] of GRADES) {
    it(`${equal ? 'rewards' : 'does not reward'} ${answer} for ${truth}, like the reference`, () => {
      expect(grade(answer, truth, 'vlm').equal).toBe(equal);
    });
  }
});
