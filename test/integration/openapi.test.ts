import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

it('ends quietly when its reader has seen enough', () => {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', `"${process.execPath}" --import tsx src/cli/main.ts openapi | head -c 8`],
    { cwd: resolve(import.meta.dirname, '../..'), encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'openapi:', stderr: '' });
});
