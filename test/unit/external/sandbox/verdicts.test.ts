import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { readVerdict } from '../../../../src/service/code/read-outcome.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';
import { CHEAT_PROGRAMS } from './cheat-programs.ts';
import { RIGHT_PROGRAMS } from './right-programs.ts';

/** Longest that one may take on a slow machine under load. */
const TEST_MS = 60_000;
const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 65_536 };
beforeAll(warmSandbox, WARM_UP_MS);

let pool: WorkerPool;
beforeAll(() => {
  pool = new WorkerPool({ workers: 1, timeoutMs: 5_000, limits: LIMITS });
});
afterAll(() => pool.close());

const verdictOf = async (code: string, tests: string, entry: string | null = 'f') =>
  readVerdict(await pool.run({ op: 'test', code, entry, tests }));

describe('a program that is right passes, though it has', { timeout: TEST_MS }, () => {
  it.each(Object.entries(RIGHT_PROGRAMS))('%s', async (_what, { code, tests, entry }) => {
    expect(await verdictOf(code, tests, entry)).toEqual({ kind: 'verdict', passed: true });
  });
});

describe('a program that is wrong does not pass with', { timeout: TEST_MS }, () => {
  it.each(Object.entries(CHEAT_PROGRAMS))('%s', async (_what, { code, tests }) => {
    expect(await verdictOf(code, tests)).toEqual({ kind: 'verdict', passed: false });
  });
});

describe('tests that cannot judge are said to, whatever the program', { timeout: TEST_MS }, () => {
  it.each([
    ['only print', 'print(f(1))', /no test/],
    ['only call the program', 'f(1)\nf(2)', /no test/],
    ['leave the judging to the program', 'check(f(1))', /no test/],
    ['import what is not here', 'import numpy as np\nassert np.isclose(f(1), 2)', /imports numpy/],
    ['import from what is not here', 'from hypothesis import given\nassert f(1) == 2', /imports hypothesis/],
  ])('%s', async (_what, tests, fault) => {
    const code = 'def f(x): return 2 * x\ndef check(x): return True';
    expect(await verdictOf(code, tests)).toEqual({ kind: 'fault', fault: expect.stringMatching(fault) });
  });

  it('but may import the solution from the file that it is thought to be in', async () => {
    for (const line of ['from solution import f', 'from .main import f, g']) {
      const tests = `${line}\ndef test_f():\n    assert f(1) == 2`;
      expect(await verdictOf('def f(x): return 2 * x', tests)).toEqual({ kind: 'verdict', passed: true });
      expect(await verdictOf('def f(x): return x', tests)).toEqual({ kind: 'verdict', passed: false });
    }
  });
});
