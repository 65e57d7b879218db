import { describe, expect, it } from 'vitest';
import { parseCohort } from '../../../src/config/parse-cohort.ts';
import { readCodeTask } from '../../../src/protocol/code-task.ts';
import { parseManifest } from '../../../src/protocol/manifest/parse-manifest.ts';
import { readRequestId } from '../../../src/protocol/roll/mapping.ts';

const nest = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/** A schema compares the length of whatever has one. */
const LENGTHS = [
  ['a nest of lists', { length: nest(20_000) }],
  ['what is no number and says so', { length: { toString: 1, valueOf: 1 } }],
] as const;

describe.each(LENGTHS)('input with a length that is %s', (_what, value) => {
  it('is refused as the inputs of a label', () => {
    const problems: string[] = [];
    expect(readCodeTask({ inputs: value, test_code: value, entry_point: value }, problems)).toEqual({});
    expect(problems).not.toEqual([]);
  });

  it('is refused in a cohort, in whichever place', () => {
    for (const raw of [
      value,
      { agents: value },
      { agents: ['a', { name: value }] },
      { agents: ['a', 'b'], method: value },
    ]) {
      expect(parseCohort('c', raw).ok).toBe(false);
    }
  });

  it('names no request of ROLL', () => {
    expect(readRequestId({ reward_request_id: value })).toBeUndefined();
  });
});

it('a line of a manifest with a length that is no number is refused by its line', () => {
  const line = `{"prompt_id":{"length":${'['.repeat(20_000)}${']'.repeat(20_000)}},"text":"t"}`;
  expect(() => parseManifest(line)).toThrow(/cannot be read/);
});
