import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'peervote-grade-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = [
  { prediction: '0.5', truth: '\\frac12' },
  { prediction: 'so \\boxed{7}', truth: '8', expected: false, mode: 'boxed' },
  { prediction: '3', truth: '4' },
];

function grade(file: string, ...options: string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'grade', file, ...options], {
    encoding: 'utf8',
  });
}

describe('peervote grade', () => {
  it('prints the confusion table and the misses, and fails below the accuracy that is asked for', () => {
    const file = join(folder, 'rows.jsonl');
    writeFileSync(file, `${ROWS.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const good = grade(file, '--min-accuracy', '0.6');
    expect([good.status, good.stdout]).toEqual([0, expect.stringContaining('2 of 3 as expected (66.67 %)')]);
    expect(good.stdout).toContain('line 3: false negative: "3" against "4"');
    expect(grade(file, '--min-accuracy', '0.7').status).toBe(1);
  });

  it('says which line it cannot read', () => {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, '{"prediction":"4","truth":"4"}\nnot JSON\n');
    const bad = grade(file);
    expect([bad.status, bad.stderr]).toEqual([
      2,
      expect.stringContaining('bad.jsonl:2: this line is not JSON'),
    ]);
    expect(grade(join(folder, 'absent.jsonl')).status).toBe(2);
  });
});
