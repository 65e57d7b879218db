import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../src/answers/regex/compile-pattern.ts';
import { PatternError } from '../../../../src/answers/regex/pattern.ts';
import { findLastMatch } from '../../../../src/answers/regex/run-pattern.ts';

const CASES: ReadonlyArray<readonly [pattern: string, text: string]> = [
  ['Answer:\\s*(\\d+)', 'Answer: 5\nAnswer: 7 apples'],
  ['(?:foo|bar)=(\\d{1,2})', 'foo=12,bar=345'],
  ['(?i)answer is ([a-d])\\b', 'xx ANSWER is b'],
  ['<(.+?)>', 'a<b>c<d>e'],
  ['<(.+)>', 'a<b>c<d>e'],
  ['(?m)^line(\\d)$', 'line1\nline2\nline3x'],
  ['(a|ab)(c|bcd)?', 'abcabc'],
  ['\\[([^\\]]+)\\]', '[3] and [4]'],
  ['[-+]?\\d+(?:\\.\\d+)?', '1.5 and -2.7'],
  ['x*', 'aab'],
  ['(?s)a.*X', 'aXb\nX'],
  ['a.*X', 'aXb\nX'],
  ['(a)|(b)', 'ab'],
  ['a{2,}b', 'aab ab aaab'],
  ['\\bword\\b', 'wordy word'],
  ['(\\w+)@(\\w+)', 'x@y and z@w'],
  ['[\\w.-]+$', 'end: a.b-c'],
];

describe('patterns', () => {
  for (const [pattern, text] of CASES) {
    it(`match ${JSON.stringify(text)} with ${pattern} as JavaScript does`, () => {
      const flags = /^\(\?([ims]+)\)/.exec(pattern);
      const native = new RegExp(pattern.slice(flags?.[0].length ?? 0), `g${flags?.[1] ?? ''}`);
      const expected = [...text.matchAll(native)].at(-1);
      const found = findLastMatch(compilePattern(pattern), text);
      const [start, end] = found?.slots ?? [];
      expect(text.slice(start, end)).toBe(expected?.[0]);
      const [groupStart, groupEnd] = found?.slots.slice(2) ?? [];
      const group = groupStart === undefined ? undefined : text.slice(groupStart, groupEnd);
      expect(group).toBe(expected?.[1]);
    });
  }

  for (const pattern of [
    '(a)\\1',
    '(?=a)b',
    '(?<!a)b',
    'a{5,2}',
    '(',
    'a**',
    '[a',
    '\\',
    '[z-a]',
    'a{1000}',
    '(((a{99}){99}){99})',
  ]) {
    it(`refuse ${pattern} with a reason`, () => {
      expect(() => compilePattern(pattern)).toThrow(PatternError);
    });
  }

  it('give up on a text that costs more than the step limit instead of running on', () => {
    const program = compilePattern('(?:a.*b)|a');
    expect(findLastMatch(program, 'a'.repeat(20_000))).toBeNull();
  });

  it('run in one pass where backtracking would take exponential time', () => {
    const program = compilePattern('(?:a*)*b');
    expect(findLastMatch(program, 'a'.repeat(5000))).toBeNull();
  });
});
