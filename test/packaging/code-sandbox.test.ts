import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';

/** Longest that compiling and the start of Python may take on a slow machine under load. */
const SLOW_MS = 120_000;

let command: BuiltCommand;
beforeAll(() => {
  command = new BuiltCommand();
}, SLOW_MS);
afterAll(() => command.remove());

describe('the package as it is published', () => {
  it(
    'runs programs: its worker threads find their files',
    () => {
      const pool = join(dirname(command.path), '../external/sandbox/worker-pool.js');
      const script = `
        import { WorkerPool } from ${JSON.stringify(pathToFileURL(pool).href)};
        const limits = { memoryBytes: 134217728, outputBytes: 4096 };
        const pool = new WorkerPool({ workers: 1, timeoutMs: 30000, limits });
        const tests = 'assert f(1) == 2';
        console.log((await pool.run({ op: 'test', code: 'def f(x): return x + 1', entry: 'f', tests })).text);`;
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        timeout: SLOW_MS,
      });
      // That the process has ended says that an idle pool keeps none alive.
      expect(JSON.parse(output)).toEqual({ passed: true });
    },
    SLOW_MS,
  );

  it(
    'closes its pool, and tells when the workers are gone',
    () => {
      const pool = join(dirname(command.path), '../external/sandbox/worker-pool.js');
      const script = `
        import { WorkerPool } from ${JSON.stringify(pathToFileURL(pool).href)};
        const pool = new WorkerPool({ workers: 1, timeoutMs: 30000, limits: { memoryBytes: 134217728, outputBytes: 4096 } });
        await pool.run({ op: 'run', code: 'f = abs', entry: 'f', unify: true, calls: [] });
        await pool.close();
        console.log('closed');`;
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        timeout: SLOW_MS,
      });
      expect(output).toBe('closed\n');
    },
    SLOW_MS,
  );
});
