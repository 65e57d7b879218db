import { describe, expect, it } from 'vitest';
import { readOutputs } from '../../../../src/answers/code/outputs.ts';

describe('the answer that outputs are', () => {
  it('is their tuple, and its own key', () => {
    expect(readOutputs(['3', "'<a>'"])).toEqual({ answer: "(3, '<a>')", key: "(3, '<a>')" });
    expect(readOutputs(['3'])).toEqual({ answer: '(3,)', key: '(3,)' });
  });

  it('votes with the calls that failed, unless all did', () => {
    expect(readOutputs(['3', '<ERR:ValueError>']).key).toBe('(3, <ERR:ValueError>)');
    expect(readOutputs(['<NOFUNC>', '<TIMEOUT>'])).toEqual({ answer: null, key: null });
  });

  it('is none where nothing was called', () => {
    expect(readOutputs([])).toEqual({ answer: null, key: null });
  });

  it('has a short key of the whole text, and shows its beginning', () => {
    const long = `'${'x'.repeat(5_000)}'`;
    const { answer, key } = readOutputs([long, '1']);
    expect(answer).toHaveLength(1_001);
    expect(key).toMatch(/^outputs:\S{20,40}$/);
    expect(readOutputs([long, '2'])).toMatchObject({ answer });
    expect(readOutputs([long, '2']).key).not.toBe(key);
  });
});
