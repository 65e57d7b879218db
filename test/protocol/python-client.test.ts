import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openServer } from './test-server.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

function run(script: string, ...args: string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [join(import.meta.dirname, script), ...args]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

it.skipIf(!hasPython)('gives Python a float for every reward, score, log and metric', async () => {
  const server = await openServer();
  const base = await server.listen();
  expect(await run('check_floats.py', base)).toEqual({ status: 0, output: 'all floats\n' });
});
