import { describe, expect, it } from 'vitest';
import { extractProgram } from '../../../../src/answers/code/program.ts';

describe('the program of a completion', () => {
  it.each([
    ['its last Python block', 'First:\n```python\na = 1\n```\nthen\n```py\nb = 2\n```\nDone.', 'b = 2'],
    [
      'its last Python block, whatever comes after',
      '```python\na = 1\n```\nprints\n```\n1\n```\n```bash\nls\n```',
      'a = 1',
    ],
    ['its last block where none is Python', 'x\n```\na = 1\n```', 'a = 1'],
    ['the whole text where there is no block', 'def f(x):\n    return x\n', 'def f(x):\n    return x'],
    ['what follows the reasoning', '<think>```python\nwrong\n```</think>```python\nright\n```', 'right'],
    ['an unclosed block', 'So:\n```python\na = 1\n', 'a = 1'],
  ])('is %s', (_, completion, program) => {
    expect(extractProgram(completion, false)).toBe(program);
  });

  it('is none where the length limit cut it off, and stays where it came before', () => {
    expect(extractProgram('```python\na = 1\nb', true)).toBeNull();
    expect(extractProgram('a = 1', true)).toBeNull();
    expect(extractProgram('```python\na = 1\n```\nThis pro', true)).toBe('a = 1');
  });

  it('is none where there is no text, or too much of it', () => {
    expect(extractProgram(' \n', false)).toBeNull();
    expect(extractProgram('x'.repeat(65_537), false)).toBeNull();
  });
});
