import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'peervote-closing-line-'));
symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
mkdirSync(join(folder, 'test'));
afterAll(() => rmSync(folder, { recursive: true }));

const PASSES = "import { it } from 'vitest'; it('passes', () => {});";

/** A run of vitest, with this project's own configuration, over one test file. */
function runTests(text: string, environment: Record<string, string> = {}) {
  writeFileSync(join(folder, 'test/a.test.ts'), text);
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const { CI: _ci, CLOSING_COUNTS_FILE: _counts, ...inherited } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, '--config', join(project, 'vitest.config.ts')],
    { encoding: 'utf8', env: { ...inherited, ...environment } },
  );
  return { status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

describe('a run of the tests', () => {
  it('ends with the closing line and succeeds when every test passes', () => {
    expect(runTests(PASSES)).toEqual({ status: 0, lastLine: '1 passed, 0 failed' });
  });

  it.each([
    ['a test fails', `${PASSES} it('fails', () => { throw new Error('no'); });`, '1 passed, 1 failed'],
    ['a file cannot be loaded', "throw new Error('no');", '0 passed, 1 failed'],
    [
      'an error escapes its test',
      `${PASSES} it('leaks', () => { Promise.reject(new Error('no')); });`,
      '2 passed, 1 failed',
    ],
    ['there is no test', 'export {};', '0 passed, 1 failed'],
  ])('fails when %s', (_case, text, lastLine) => {
    expect(runTests(text)).toEqual({ status: 1, lastLine });
  });

  it('may leave a test out on a desk but not under CI', () => {
    const text = `${PASSES} it.skip('is left out', () => {}); it.todo('is to do');`;
    expect(runTests(text)).toEqual({ status: 0, lastLine: '1 passed, 0 failed' });
    expect(runTests(text, { CI: 'true' })).toEqual({ status: 1, lastLine: '1 passed, 2 failed' });
  });

  it('leaves its counts to the larger run that asked for them', () => {
    const counts = join(folder, 'counts');
    expect(runTests(PASSES, { CLOSING_COUNTS_FILE: counts }).lastLine).not.toMatch(/passed, /);
    expect(readFileSync(counts, 'utf8')).toBe('1 0\n');
  });
});
