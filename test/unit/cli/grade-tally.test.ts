import { describe, expect, it } from 'vitest';
import { parseGradeRow } from '../../../src/cli/grade-row.ts';
import { type Graded, GradeTally } from '../../../src/cli/grade-tally.ts';

const graded = (expected: boolean, equal: boolean, line = 1): Graded => ({
  line,
  prediction: 'x',
  truth: 'y',
  answer: 'x',
  expected,
  equal,
  status: equal ? 'equal' : 'different',
  reason: 'so it is',
});

describe('a row of a grading file', () => {
  it('is read under the names that other graders use, and expects equality unless it says otherwise', () => {
    expect(parseGradeRow('{"prediction":"4","truth":"4"}')).toMatchObject({
      kind: 'row',
      expected: true,
      mode: null,
    });
    expect(parseGradeRow('{"completion":"so 4","gold":4,"expected":false,"mode":"number"}')).toMatchObject({
      prediction: 'so 4',
      truth: '4',
      expected: false,
      mode: 'number',
    });
  });

  it.each([
    ['x'],
    ['[]'],
    ['{"truth":"4"}'],
    ['{"prediction":"4"}'],
    ['{"prediction":"4","truth":"4","expected":1}'],
  ])('that is %s is refused with what is wrong', (line) => {
    expect(parseGradeRow(line)).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(/\w/) });
  });
});

describe('the tally of a grading file', () => {
  it('counts what was expected against what came', () => {
    const tally = new GradeTally(10);
    for (const [expected, equal] of [
      [true, true],
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      tally.add(graded(expected, equal));
    }
    expect(tally.accuracy).toBe(0.6);
    expect(tally.format()).toMatch(/expected equal\s+2\s+1\n/);
    expect(tally.format()).toMatch(/expected not equal\s+1\s+1\n/);
  });

  it('lists as many misses as it was asked for, and says how many there are besides', () => {
    const tally = new GradeTally(2);
    for (const line of [3, 5, 8]) tally.add(graded(true, false, line));
    expect(tally.format()).toMatch(/line 3: .*\nline 5: .*\n… and 1 more\n$/);
  });
});
