import { describe, expect, it } from 'vitest';
import { extractProgram } from '../../../../src/answers/code/program.ts';

const codeOf = (completion: string, truncated = false) => extractProgram(completion, truncated)?.code;
const blocksOf = (completion: string, truncated = false) => extractProgram(completion, truncated)?.blocks;

describe('the program of a completion, where no block defines what is asked for,', () => {
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
    ['a block of tildes', '~~~python3\na = 1\n~~~', 'a = 1'],
  ])('is %s', (_, completion, program) => {
    expect(codeOf(completion)).toBe(program);
  });

  it('is none where the length limit cut it off, and stays where it came before', () => {
    expect(extractProgram('```python\na = 1\nb', true)).toBeNull();
    expect(extractProgram('a = 1', true)).toBeNull();
    expect(codeOf('```python\na = 1\n```\nThis pro', true)).toBe('a = 1');
  });

  it('is none where there is no text, or too much of it', () => {
    expect(extractProgram(' \n', false)).toBeNull();
    expect(extractProgram('x'.repeat(65_537), false)).toBeNull();
  });
});

describe('a block of code', () => {
  it.each([
    ['of a list item', '1. Code\n\n   ```python\n   if a:\n       b()\n   ```\n'],
    ['indented by four', '- Code\n\n    ```python\n    if a:\n        b()\n    ```\n'],
    ['indented by a tab', '- Code\n\n\t```python\n\tif a:\n\t    b()\n\t```\n'],
    ['that opens behind its list mark', '12) ```python\n    if a:\n        b()\n    ```\n'],
    ['of a quote', '> Code\n> ```python\n> if a:\n>     b()\n> ```\nDone'],
    ['of a list item in a quote', '> - ```python\n>   if a:\n>       b()\n>   ```\nDone'],
    ['whose fence alone is indented', '- Code\n    ```python\nif a:\n    b()\n    ```\n'],
  ])('%s loses the marks and the indent of where it stands', (_, completion) => {
    expect(codeOf(completion)).toBe('if a:\n    b()');
  });

  it('does not end at a fence in its docstring', () => {
    const code = 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    return 1';
    expect(codeOf(`\`\`\`python\n${code}\n\`\`\``)).toBe(code);
  });
});

describe('what a program is chosen from', () => {
  it('is nothing else where there is one block', () => {
    expect(blocksOf('Code\n```python\na = 1\n```')).toBeNull();
    expect(blocksOf('a = 1')).toBeNull();
  });

  it('are all blocks in their order, those of other languages first', () => {
    const completion = '```python\na\n```\n```\nb\n```\n```json\nc\n```\n~~~py\nd\n~~~';
    expect(blocksOf(completion)).toEqual(['c', 'a', 'b', 'd']);
  });

  it('is what stands in front of the first fence too, where the prompt opened the block', () => {
    expect(blocksOf('def f():\n    return 1\n```\nNow\n```python\nf()\n```')).toEqual([
      'def f():\n    return 1',
      'f()',
      'Now\n```python\nf()',
    ]);
    expect(codeOf('def f():\n    return 1\n```\nand cu', true)).toBe('def f():\n    return 1');
  });

  it('are the blocks inside of a block of Markdown', () => {
    expect(blocksOf('````markdown\n# A\n```python\na\n```\n```python\nb\n```\n````')).toEqual([
      '# A\n```python\na\n```\n```python\nb\n```',
      'a',
      'b',
    ]);
  });

  it('is no block that the length limit cut off', () => {
    expect(extractProgram('```python\na\n```\n```python\nb', true)).toEqual({ code: 'a', blocks: null });
  });

  it('is bounded in number and in length', () => {
    const many = extractProgram('```python\nx = 1\n```\n'.repeat(1_000), false);
    expect(many?.blocks?.length).toBe(64);
    const long = `\`\`\`python\n${'x'.repeat(60_000)}\n\`\`\`\n`;
    expect(blocksOf(long.repeat(5))?.length).toBe(2);
  });
});
