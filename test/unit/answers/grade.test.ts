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
});
