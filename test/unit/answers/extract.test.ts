import { describe, expect, it } from 'vitest';
import { extract } from '../../../src/answers/extract.ts';
import type { ExtractionMode } from '../../../src/answers/modes.ts';

type Row = readonly [completion: string, answer: string | null];

const ROWS: Partial<Record<ExtractionMode, readonly Row[]>> = {
  boxed: [
    ['so \\boxed{7}.', '7'],
    ['first \\boxed{1}, no: \\boxed{2}', '2'],
    ['\\fbox{\\frac{1}{3}}', '\\frac{1}{3}'],
    ['\\boxed{x = \\boxed{9}}', '9'],
    ['on the interval \\boxed{(0,4]}', '(0,4]'],
    ['write it with \\boxed or \\boxed{}', null],
    ['\\boxed{\\frac{1}{2', null],
    ['{ a stray brace, then \\boxed{3}', '3'],
    ['\\boxed{\\{1, 2\\}}', '\\{1, 2\\}'],
    ['escaped twice: \\\\boxed{6}', '6'],
    ['I think 42 but say nothing', null],
    ['\\boxed{2} and \\boxed{3}', '2, 3'],
    ['\\boxed{(1,2)}, \\quad \\boxed{(3,4)}', '(1,2), (3,4)'],
    ['\\boxed{7} and again \\boxed{7}', '7'],
    ['he has \\boxed{2} left. So he buys \\boxed{3}', '3'],
    ['\\boxed{2}. wait, actually \\boxed{3}', '3'],
    ['4 \\times \\boxed{3} = \\boxed{12}', '12'],
  ],
  'answer-tag': [
    ['<answer>Rome</answer>', 'Rome'],
    ['<answer>1</answer> no, <answer>2</answer>', '2'],
    ['put it in <answer> tags: <answer>5/6</answer>', '5/6'],
    ['<answer> </answer>', null],
    ['<answer>5', null],
    ['<answer>__proto__</answer>', '__proto__'],
  ],
  gsm8k: [
    ['2+2=4\n#### 4', '4'],
    ['#### -1,250.5\nand so on', '-1,250.5'],
    ['9\n#### 9\n\nQuestion: What is 1+1?\nAnswer: #### 2', '9'],
    ['no marker, 5', null],
  ],
  choice: [
    ['The right option is \\boxed{C}', 'C'],
    ['\\boxed{\\text{(F)}}', 'F'],
    ['\\boxed{E: A longer text}', 'E'],
    ['Answer: **D**', 'D'],
    ['The answer is b.', 'B'],
    ['D is the midpoint of the segment', null],
    ['The answer is A or B', null],
    ['I considered (A), which fails. Final answer: C.', 'C'],
    ['It is not (A) but warmer. (B)', 'B'],
    ['B) because it is', 'B'],
    ['Answer: None of the above', null],
    ['Respuesta: E', 'E'],
    ['答案：C', 'C'],
    ['The answer is C because I computed it', 'C'],
    ['c', 'C'],
    ['The answer is for sure D, it cannot be A or B', 'D'],
    ['It is not A because it fails, therefore I think it is B', 'B'],
    ['The answer is A.\n\nOption C is a distractor.', 'A'],
    ['Option A fails. Option C does not hold either.', null],
    ['B is the only correct option', 'B'],
    ['The first claim (A) is wrong and (C) is incorrect. (B)', 'B'],
    ['(X) B) Insulin', 'B'],
    ['It is so.\n\n(D) 45, as computed', 'D'],
    ['A) is too small\nB) is too large\nC) fits', null],
    ['B。不是 A', 'B'],
    ['\\textbf{(A)}\\ 5', 'A'],
    ['A Peter\nhas it', 'A'],
    ['a car moves', null],
    ['The answer is either A or C.', null],
    ['选C', 'C'],
    ['(𝐃)', 'D'],
  ],
  number: [
    ['The total is 72 clips, altogether.', '72'],
    ['It costs $1,299.50 today', '1,299.50'],
    ['the change is −4', '−4'],
    ['10-3 leaves 7-2', '2'],
    ['none, at all', null],
  ],
  raw: [
    [' 5 ', '5'],
    ['$\\frac{1}{2}$', '\\frac{1}{2}'],
    [' ', null],
  ],
  auto: [
    ['the answer is 4, that is \\boxed{5}', '5'],
    ['so <answer>6</answer>', '6'],
    ['Final Answer: **73**', '73'],
    ['Answer: the largest $n$ is 34.', '34'],
    ['The final answer is $\\frac{3}{4}$. I hope it is correct.', '\\frac{3}{4}'],
    ['we saw 12 and then 13 things', null],
    ['\\boxed{1} is what I had. Final answer: $2$', '2'],
    ['Final Answer:\nThe last digits of $2^{10}$ are:\n\\[Answer: 24\\]', '24'],
    ['答案：每份应该是 (\\frac{2}{5}) 吨。', '(\\frac{2}{5})'],
    ['Die Antwort ist 7.', '7'],
    ['Réponse : Léa paiera 220 $ en 12 mois.', '220'],
    ['The answer is $3$, $4$ and $5$.', '3, 4, 5'],
    ['**Final Answer**\n\n$11,\\! 111$', '11,\\! 111'],
    ['The final answer is Paris.', 'Paris'],
    ['The answer is \\frac{1}{', null],
    ['The answer is not clear.', null],
    ['答えは 8 です', '8'],
  ],
  code: [
    ['text\n```python\nx = 1\n```\nmore\n```py\ny = 2\n```', 'y = 2'],
    ['```\nnever closed', 'never closed'],
    ['```\nfirst\n```\n```\n', 'first'],
    ['no fence', null],
  ],
  qwen: [
    ['first \\boxed{3} then \\boxed{4}', '4'],
    ['I tried 3 times but give up', '3'],
    ['no digits here', null],
  ],
  vlm: [
    ['<think>A</think><answer>C</answer>', 'C'],
    ['(C) no tag', null],
  ],
};

describe('extract', () => {
  for (const [mode, rows] of Object.entries(ROWS)) {
    for (const [completion, answer] of rows) {
      it(`takes ${JSON.stringify(answer)} from ${JSON.stringify(completion)} in mode ${mode}`, () => {
        expect(extract(completion, { mode: mode as ExtractionMode })).toBe(answer);
      });
    }
  }

  it('ignores what stands in reasoning blocks, closed or not', () => {
    expect(extract('<think>\\boxed{1}</think>so \\boxed{2}', { mode: 'boxed' })).toBe('2');
    expect(extract('<think>\\boxed{1} but', { mode: 'boxed' })).toBeNull();
    expect(extract('\\boxed{1}, wait</think>\\boxed{3}', { mode: 'boxed' })).toBe('3');
    expect(extract('\\boxed{4}<think>check</think>', { mode: 'boxed' })).toBe('4');
  });

  it('drops special tokens around an answer', () => {
    expect(extract('The answer is B<|im_end|>', { mode: 'choice' })).toBe('B');
    expect(extract('#### 12<|eot_id|>', { mode: 'gsm8k' })).toBe('12');
    expect(extract('12</s>', { mode: 'raw' })).toBe('12');
  });

  it('gives no answer from a truncated completion unless the answer is closed', () => {
    expect(extract('#### 12', { mode: 'gsm8k', truncated: true })).toBeNull();
    expect(extract('it is 12', { mode: 'number', truncated: true })).toBeNull();
    expect(extract('The answer is B', { mode: 'choice', truncated: true })).toBeNull();
    expect(extract('\\boxed{12} and', { mode: 'boxed', truncated: true })).toBe('12');
    expect(extract('\\boxed{12}', { mode: 'boxed', truncated: true })).toBe('12');
  });

  it('takes the option whose text an answer repeats', () => {
    const choices = ['16 hours', '18 hours', '16', 'hours'];
    expect(extract('So the answer is (X) 18 hours.', { mode: 'choice', choices })).toBe('B');
    expect(extract('\\boxed{18 hours}', { mode: 'choice', choices })).toBe('B');
    expect(extract('It takes 18 hours, not 16 hours', { mode: 'choice', choices })).toBeNull();
    expect(extract('The answer is E', { mode: 'choice', choices })).toBeNull();
  });

  it('takes the first group of the last match of a pattern', () => {
    expect(extract('Result: 4\nResult: 5', { mode: 'regex', pattern: 'Result: (\\d)' })).toBe('5');
    expect(extract('Result', { mode: 'regex', pattern: 'Result: (\\d)' })).toBeNull();
    expect(extract('Result: 4', { mode: 'regex' })).toBeNull();
  });

  it('takes a loose formula or number only when it is asked to', () => {
    const text = 'We get $x < 5$ in the end, which took 3 steps';
    expect(extract(text, { mode: 'auto' })).toBeNull();
    expect(extract(text, { mode: 'auto', fallback: 'formula' })).toBe('x < 5');
    expect(extract(text, { mode: 'auto', fallback: 'last' })).toBe('3');
  });

  it('gives an answer that does not keep its completion alive', () => {
    const found = extract(`${'x'.repeat(10_000)}\\boxed{a rather long answer of words}`, { mode: 'boxed' });
    expect(found).toBe('a rather long answer of words');
  });
});
