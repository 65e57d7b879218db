import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/domain/errors.ts';
import { parseManifest } from '../../../../src/protocol/manifest/parse-manifest.ts';

const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

function problemsOf(body: string): unknown {
  try {
    parseManifest(body);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details.problems;
    throw error;
  }
  return [];
}

describe('parseManifest', () => {
  it('reads a line for each problem, with all its texts, its truth and its split', () => {
    const { entries } = parseManifest(
      `${lines(
        {
          prompt_id: 'p',
          text: '2+2?',
          aliases: ['two and two?'],
          rephrasings: ['2 + 2 = ?'],
          ground_truth: 4,
          split: 'test',
        },
        { prompt_id: 17, text: '3+3?', source: 'ignored' },
      )}\r\n\n`,
    );
    expect(entries).toEqual([
      { promptId: 'p', texts: ['2+2?', 'two and two?', '2 + 2 = ?'], groundTruth: '4', split: 'eval' },
      { promptId: '17', texts: ['3+3?'], groundTruth: null, split: null },
    ]);
  });

  it('gives another version to other contents, and the same to the same', () => {
    const version = (text: string) => parseManifest(lines({ prompt_id: 'p', text })).version;
    expect(version('a')).toBe(version('a'));
    expect(version('a')).not.toBe(version('b'));
    expect(parseManifest('').entries).toEqual([]);
  });

  it('names every bad line and what is wrong with it', () => {
    const body = [
      lines({ prompt_id: 'p', text: 'a' }),
      '{"prompt_id": nan}',
      lines({ prompt_id: 'q', text: ' ' }),
      lines({ prompt_id: 'r', text: 'c', split: 'dev-ish' }),
      lines({ prompt_id: 'p', text: 'd' }),
      lines({ prompt_id: 's', text: 'x', aliases: ['  a '] }),
    ].join('\n');
    expect(problemsOf(body)).toEqual([
      { path: 'line 2', message: expect.stringContaining('json.dumps') },
      { path: 'line 3: text', message: 'must not be blank' },
      { path: 'line 4: split', message: expect.stringContaining('train, eval') },
      { path: 'line 5: prompt_id', message: expect.stringContaining('line 1') },
      { path: 'line 6: text', message: expect.stringContaining('"p"') },
    ]);
  });

  it('stops at the twentieth problem', () => {
    expect(problemsOf('x\n'.repeat(1000))).toHaveLength(20);
  });
});
