import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';
import { castBallots } from '../../../src/methods/ballots.ts';

const ballots = (answers: readonly (string | null)[]) =>
  answers.map((answer, index) => ({ answer, key: answer === null ? null : canonicalKey(answer), index }));
const math = { mode: 'auto', pattern: null };

describe('the ballots of a vote', () => {
  it('give a rounded decimal to the one exact answer that it rounds', () => {
    const cast = castBallots(ballots(['\\frac13', '0.3333', null, '2']), math);
    expect(cast.map(({ key }) => key)).toEqual([
      canonicalKey('1/3'),
      canonicalKey('1/3'),
      null,
      canonicalKey('2'),
    ]);
  });

  it('leave a decimal alone where two exact answers, or none, would do', () => {
    for (const answers of [
      ['0.333', '\\frac13', '\\frac{1000}{3001}'],
      ['0.333', '0.3333', '2'],
    ]) {
      const before = ballots(answers);
      expect(castBallots(before, math).map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    }
  });

  it('never join two exact answers', () => {
    const before = ballots(['0.500', '\\frac12', '\\frac{4999}{10000}', '0.4999']);
    const keys = castBallots(before, math).map(({ key }) => key);
    expect(keys[1]).not.toBe(keys[2]);
  });

  it.each(['choice', 'code', 'qwen', 'vlm'])('are as they were sent in mode %s', (mode) => {
    const before = ballots(['\\frac13', '0.3333']);
    expect(castBallots(before, { mode, pattern: null })).toBe(before);
  });
});
