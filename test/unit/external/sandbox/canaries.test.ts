import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Canary, canariesFor } from '../../../../src/external/sandbox/canaries.ts';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

/** Longest that one may take on a slow machine under load. */
const TEST_MS = 60_000;
const limits = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };
beforeAll(warmSandbox, WARM_UP_MS);

const jobOf = (code: string) =>
  ({ op: 'run', code, entry: 'f', unify: true, calls: [{ args: [1], kwargs: {} }] }) as const;

describe('an outcome', { timeout: TEST_MS }, () => {
  /** Finds fault with the worker whenever a program with this text has run on it, and once for nothing. */
  const replaced: string[] = [];
  const canaries = (jobs: Parameters<typeof canariesFor>[0]): Canary[] => {
    const isBroken = jobs.some((job) => job.op === 'run' && job.code.includes('poison'));
    return canariesFor(jobs).map((canary) => (isBroken ? { ...canary, isRight: () => false } : canary));
  };
  let pool: WorkerPool;
  beforeAll(() => {
    pool = new WorkerPool({
      workers: 1,
      timeoutMs: 20_000,
      limits,
      canaries,
      onReplaced: (reason) => replaced.push(reason),
    });
  });
  afterAll(() => pool.close());

  it('of a worker that fails its canary is none: what else it judged is run again, elsewhere', async () => {
    const codes = [
      ...Array.from({ length: 3 }, (_, n) => `def f(x): return x + ${n}`),
      'def f(x): return "poison"',
      'def f(x): return x + 9',
    ];
    const outcomes = await Promise.all(codes.map((code) => pool.run(jobOf(code))));
    expect(outcomes.map(({ lines }) => lines.join())).toEqual(['"1"', '"2"', '"3"', '', '"10"']);
    expect(outcomes[3]?.ending).toBe('crashed');
    expect(replaced.length).toBeGreaterThan(0);
    expect(new Set(replaced)).toEqual(new Set(['canary']));
  });
});

describe('a new worker that is wrong from its start', { timeout: TEST_MS }, () => {
  it('runs nothing, blames no program, and is not started again and again: whoever waits is told that there is no sandbox', async () => {
    const replaced: string[] = [];
    let isBroken = true;
    const pool = new WorkerPool({
      workers: 1,
      timeoutMs: 20_000,
      limits,
      canaries: (jobs) =>
        canariesFor(jobs).map((canary) => ({
          ...canary,
          isRight: (outcome) => !isBroken && canary.isRight(outcome),
        })),
      onReplaced: (reason) => replaced.push(reason),
    });
    const codes = ['def f(x): return x + 1', 'def f(x): return x + 2'];
    const failed = await Promise.allSettled(codes.map((code) => pool.run(jobOf(code))));
    expect(failed.map((each) => (each.status === 'rejected' ? each.reason.code : each.value))).toEqual([
      'sandbox_unavailable',
      'sandbox_unavailable',
    ]);
    expect([replaced, pool.isDown, pool.queued]).toEqual([['start'], true, 0]);
    isBroken = false;
    expect((await pool.run(jobOf('def f(x): return x + 1'))).lines).toEqual(['"2"']);
    expect(pool.isDown).toBe(false);
    await pool.close();
  });
});

describe('a canary', { timeout: TEST_MS }, () => {
  it('is right on a sound worker, for every kind of job, and is never the same twice', async () => {
    const pool = new WorkerPool({ workers: 1, timeoutMs: 20_000, limits });
    const test = { op: 'test', code: '', entry: 'f', tests: '' } as const;
    const all = [...canariesFor([test, jobOf('')]), ...canariesFor([test, jobOf('')])];
    expect(all).toHaveLength(6);
    expect(new Set(all.map(({ job }) => JSON.stringify(job))).size).toBe(6);
    for (const { job, isRight } of all) expect(isRight(await pool.run(job))).toBe(true);
    await pool.close();
  });

  it('is not right for a worker that says the same to all', () => {
    const test = { op: 'test', code: '', entry: 'f', tests: '' } as const;
    for (const text of ['{"passed":true}', '{"passed":false,"error":"AssertionError"}', '']) {
      const outcome = { ending: 'returned', text, lines: [], ms: 1 } as const;
      expect(canariesFor([test]).every(({ isRight }) => isRight(outcome))).toBe(false);
      expect(canariesFor([jobOf('')]).every(({ isRight }) => isRight(outcome))).toBe(false);
    }
  });
});
