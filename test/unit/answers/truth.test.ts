import { describe, expect, it } from 'vitest';
import type { ExtractionMode } from '../../../src/answers/modes.ts';
import { gradeTruth, readTruth } from '../../../src/answers/truth.ts';

const textOf = (truth: string, mode: ExtractionMode = 'auto') => readTruth(truth, mode).text;
const accepts = (truth: string | readonly string[], prediction: string, mode: ExtractionMode = 'raw') =>
  gradeTruth(prediction, readTruth(truth, mode), mode).equal;

describe('a truth', () => {
  it.each([
    '31',
    '-\\frac{3}{4}',
    '$2$',
    '\\boxed{5}',
    'x = \\boxed{5}',
    '(1,2)',
    'x=1 or x=2',
    '\\text{no solution}',
    'New York City',
    'the answer is blowing in the wind',
    'C#### major',
    '\\forall x>0, f(x)=0',
    'AZYUK2A',
  ])('that is an answer stays as it is: %s', (truth) => {
    expect(textOf(truth)).toBe(truth);
  });

  it.each([
    ['She packs 6*8=<<6*8=48>>48 eggs, and sells 20.\nSo 48-20=<<48-20=28>>28 are left.\n#### 28', '28'],
    ['They earn 3*$500=$<<3*500=1500>>1500.\n#### 1,500', '1,500'],
    ['He ate all 12 of them. #### 12', '12'],
    ['We have $x+5=16$, so $x=\\boxed{11}$.', '11'],
    ['Since $2\\sqrt{3}>3$, the larger one is $\\boxed{2\\sqrt{3}}$ as was to be shown.', '2\\sqrt{3}'],
    ['Then $\\boxed{x=-1}$ or $\\boxed{x=4}$ solve it.', 'x=-1, x=4'],
    ['Hence there is \\boxed{\\text{none}}', '\\text{none}'],
    ['<think>maybe \\boxed{3}</think> <answer> 4 </answer>', '4'],
    ['#### Step 1\nWe add.\n#### Step 2\nSo it is \\boxed{9}.', '9'],
    ['## Solution\nadd them\n#### Conclusion\nThe answer is 5.', '5'],
    ['First $a=3$, then $b=7a=21$. The final answer is $21$. I hope it is correct.', '21'],
    ['Answer: Paris', 'Paris'],
    [`${'We go on, and find 1+1=2. '.repeat(900)}\\boxed{7}`, '7'],
  ])('that is a worked solution is read for its answer: %s', (truth, answer) => {
    expect(readTruth(truth, 'auto')).toMatchObject({ text: answer, readable: true });
    // Read twice it stays what it is.
    expect(textOf(answer)).toBe(answer);
  });

  it('is not equal to what stands elsewhere in its solution', () => {
    const solution = 'She packs 6*8=<<6*8=48>>48 eggs, and sells 20.\n#### 28';
    expect(accepts(solution, '28')).toBe(true);
    for (const other of ['48', '20', '6', '48, 28']) expect(accepts(solution, other)).toBe(false);
  });

  it('names one option in mode choice, by its letter, in a solution or by its text', () => {
    const keyOf = (truth: string) => readTruth(truth, 'choice', ['London', 'Paris']).key;
    expect(keyOf('B')).toBe('B');
    expect(keyOf('(B) Paris')).toBe('B');
    expect(keyOf('<answer>B</answer>')).toBe('B');
    expect(keyOf('A car is red, thus \\boxed{B}')).toBe('B');
    expect(keyOf('Paris')).toBe('B');
    expect(readTruth('Rome', 'choice')).toMatchObject({ key: null, readable: false });
  });

  it('stays whole in mode code, where marks are comments', () => {
    const program = 'def f():\n    #### 3\n    return "\\\\boxed{1}"';
    expect(textOf(program, 'code')).toBe(program);
  });

  it('is said to be unreadable where no answer can be told', () => {
    for (const truth of ['', '  ', 'x'.repeat(5_000)]) {
      expect(readTruth(truth, 'raw')).toMatchObject({ key: null, readable: false });
    }
    for (const truth of ['First 3+4=7. Then 7*2=14.', '\\forall x>0, f(x)=0', '#### ']) {
      expect(readTruth(truth, 'raw').readable).toBe(false);
    }
  });
});

describe('a list of accepted answers', () => {
  it('is met by each of them and by the list as a whole, and by nothing else', () => {
    const cities = ['New York City', 'NYC'];
    for (const answer of ['NYC', 'new york city', 'New York City, NYC']) {
      expect(accepts(cities, answer, 'answer-tag')).toBe(true);
    }
    expect(accepts(cities, 'Boston', 'answer-tag')).toBe(false);
    expect(accepts(['2', '-2'], '-2, 2')).toBe(true);
    expect(accepts(['2', '-2'], '2, 3')).toBe(false);
    expect(accepts(['A', 'C'], 'C', 'choice')).toBe(true);
    expect(gradeTruth('B', readTruth(['A', 'C'], 'choice'), 'choice').status).toBe('different');
  });

  it('is one answer where its members are the same, and none where they are blank', () => {
    expect(readTruth(['4', '4.0'], 'raw')).toEqual({ text: '4', key: '4', readable: true });
    expect(readTruth(['', ' '], 'raw').key).toBeNull();
  });

  it('reads each member as a truth of its own', () => {
    expect(readTruth(['so it is \\boxed{3}', '#### 4'], 'raw').accepted).toEqual(['3', '4']);
  });
});
