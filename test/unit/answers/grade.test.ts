import { describe, expect, it } from 'vitest';
import { grade } from '../../../src/answers/grade.ts';

describe('grade', () => {
  it('says equal for two spellings of one number', () => {
    expect(grade('0.5', '\\frac12', 'raw')).toMatchObject({ equal: true, status: 'equal' });
  });

  it('says different for different answers', () => {
    expect(grade('5', '4')).toMatchObject({ equal: false, status: 'different' });
  });

  it('never gives credit where the truth or the answer is missing', () => {
    expect(grade('', '')).toMatchObject({ equal: false, status: 'unparsable_truth' });
    expect(grade(null, '4')).toMatchObject({ equal: false, status: 'unparsable_prediction' });
    expect(grade('4', ' ')).toMatchObject({ equal: false, status: 'unparsable_truth' });
  });

  it('says which side does not parse', () => {
    expect(grade('5', '\\forall x: x > 0')).toMatchObject({ equal: false, status: 'unparsable_truth' });
    expect(grade('\\begin{cases} x', '5')).toMatchObject({ equal: false, status: 'unparsable_prediction' });
    expect(grade('\\left( y', '\\left( y')).toMatchObject({ equal: true });
  });

  it('takes its tolerances from the options', () => {
    expect(grade('0.33', '\\frac13').equal).toBe(false);
    expect(grade('0.33', '\\frac13', { decimals: 2 }).equal).toBe(true);
    expect(grade('52', '52_8').equal).toBe(true);
    expect(grade('52', '52_8', { dropBase: false }).equal).toBe(false);
    expect(grade('x=5', 'y=5').equal).toBe(true);
    expect(grade('x=5', 'y=5', { strictNames: true }).equal).toBe(false);
  });

  it('compares programs by their text, and choices by their letter', () => {
    expect(grade('print(1)', 'print(1)', 'code').equal).toBe(true);
    expect(grade('print(1)', 'print(2)', 'code').equal).toBe(false);
    expect(grade('(b)', 'B', 'choice').equal).toBe(true);
    expect(grade('A', 'B', 'choice')).toMatchObject({ equal: false, status: 'different' });
    expect(grade('A or B', 'B', 'choice')).toMatchObject({ equal: false, status: 'unparsable_prediction' });
  });

  it('compares printed tables line by line', () => {
    expect(grade('3.0000001 2\n1 0', '3 2\n1 0').equal).toBe(true);
    expect(grade('3 2 1 0', '3 2\n1 0').equal).toBe(false);
  });
});
