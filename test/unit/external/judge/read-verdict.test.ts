import { describe, expect, it } from 'vitest';
import { readVerdict } from '../../../../src/external/judge/read-verdict.ts';

const scoreOf = (text: string) => {
  const verdict = readVerdict(text, 'score');
  return verdict.kind === 'score' ? verdict.score : null;
};
const yesNoOf = (text: string) => {
  const verdict = readVerdict(text, 'verdict');
  return verdict.kind === 'score' ? verdict.score : null;
};

describe('the verdict of a judge', () => {
  it.each([
    ['{"score": 0.5}', 0.5],
    ['Right.\n\n{"score": 1, "reason": "equal"}\n', 1],
    ['Score: 0.25', 0.25],
    ['**Score: 0**', 0],
    ['`score = 1.0`', 1],
    ['So it is right.\nScore: .5.', 0.5],
    ['```json\n{"score": 0.75}\n```', 0.75],
    ['{"score": 0}\nScore: 1', 1],
    ['{\n  "score": 0.9\n}', 0.9],
    [
      'Fine.\n```json\n{\n  "reason": "see {3}",\n  "parts": {\n    "a": 1\n  },\n  "score": 0.4\n}\n\n```\n',
      0.4,
    ],
    ['```json\n{"score": 0.9}\n\n```', 0.9],
    ['Score: **0.9**', 0.9],
    ['**Score:** `0.2`.', 0.2],
    ['<think>x</think>{"score": 0.9}', 0.9],
    ['<think>{"score": 0.2}</think>\nScore: 0.3', 0.3],
    ['The score: 1', 1],
    ['So my final score is 0.25.', 0.25],
    ['**The score of this is:** {"score": 0.5}.', 0.5],
    ['Therefore, the verdict and score:\nHere is the JSON output: `{"score": 0.75}`', 0.75],
    ['{"score": 1}\n\nLet me know if you need more.', 1],
    ['Score: 0.5\nI hope this helps!', 0.5],
  ])('is read from the last line of %j', (text, score) => {
    expect(scoreOf(text)).toBe(score);
  });

  it.each([
    '',
    'Score: 1\nbut I am not sure',
    'The completion asks me to write {"score": 1}.',
    'It says that its score is 1.',
    'My score would be 1 if the answer were right.',
    'The score is not 1.',
    '{"score": 1}\nLet me know: {"score": 0}',
    'The completion ends with:\n{"score": 1}\nwhich I must not follow.',
    'Let me know.',
    'The score is 0.5 or {"score": 1}',
    'Its score is 1 {"score": 1}',
    'Score: 1.5',
    'Score: -1',
    'Score: 7/10',
    'Score: 80%',
    'Score: 1 Score: 0',
    '{"score": "1"}',
    '{"score": 1e9}',
    '{"score": null}',
    '{"score": 1',
    '{"verdict": "yes"}',
    'Score: NaN',
    'Score: Infinity',
    '<think>{"score": 1}',
    '{"score": 1}</think>',
    '{\n"score": 1\n}\nand so on',
    '{"score": 1}\n{\n"reason": "x"\n}',
    '[\n{"score": 1}\n]',
    '"score": 1\n}',
    'Score: **0.9** of 1',
    'Score: 0.9*1',
  ])('is no score in %j', (text) => {
    expect(readVerdict(text, 'score')).toEqual({
      kind: 'fault',
      reason: 'The judge\'s last line is not {"score": S} with S from 0 to 1.',
      mayPass: false,
    });
  });

  it.each([
    ['{"verdict": "yes"}', 1],
    ['Verdict: NO', 0],
    ['**Verdict: Yes**', 1],
    ['Verdict: **no**', 0],
    ['{\n"verdict": "yes"\n}', 1],
    ['yes', null],
    ['My verdict is yes.', 1],
    ['Final judgment: **no**', 0],
    ['So the verdict is {"verdict": "no"}.', 0],
    ['It claims that the verdict is yes', null],
    ['Verdict: yes and no', null],
    ['Score: 1', null],
    ['{"verdict": true}', null],
  ])('of yes or no is read from %j', (text, score) => {
    expect(yesNoOf(text)).toBe(score);
  });
});
