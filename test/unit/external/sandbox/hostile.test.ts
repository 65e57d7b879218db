import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgedPrograms } from '../../../../bench/sandbox/forged-programs.ts';
import { QUICK_PROGRAMS, SLOW_PROGRAMS } from '../../../../bench/sandbox/hostile-programs.ts';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

const CANARY = 'import json, random, os\ndef f(x): return json.dumps([x * 2, random.random(), os.getcwd()])';
/** The rest of the slow ones runs in bench:sandbox. */
const PROGRAMS = Object.entries({
  ...QUICK_PROGRAMS,
  'a memory hog': SLOW_PROGRAMS['a memory hog'] ?? '',
});
/** Longest that one may take on a slow machine under load: some cost their interpreter. */
const TEST_MS = 60_000;
const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 65_536 };
const call = { args: [1], kwargs: {} };
beforeAll(warmSandbox, WARM_UP_MS);

let pool: WorkerPool;
let canary: readonly string[];

const runOf = (code: string, on = pool) =>
  on.run({ op: 'run', code, entry: 'f', unify: true, calls: [call] });
const testOf = (code: string) => pool.run({ op: 'test', code, entry: 'f', tests: 'assert f(1) == 2' });

beforeAll(async () => {
  pool = new WorkerPool({ workers: 1, timeoutMs: 10_000, limits: LIMITS });
  canary = (await runOf(CANARY)).lines;
  expect(canary[0]).toContain('[2, ');
});
afterAll(() => pool.close());

describe('a program that attacks', () => {
  it.each(PROGRAMS)(
    'with %s passes no test and changes nothing for the next',
    async (_, code) => {
      const before = process.memoryUsage().rss;
      const run = await runOf(code);
      expect(run.lines.length).toBeLessThanOrEqual(1);
      expect(run.lines.join('').length).toBeLessThanOrEqual(65_536);
      expect((await runOf(CANARY)).lines).toEqual(canary);

      const verdict = await testOf(code);
      expect(verdict.text).not.toContain('true');
      expect(verdict.text === '' || JSON.parse(verdict.text).passed === false).toBe(true);
      expect((await testOf('def f(x): return x * 2')).text).toBe('{"passed":true}');
      expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1_048_576);
    },
    TEST_MS,
  );

  it.each(forgedPrograms(7, 8).map((code, place) => [place, code] as const))(
    'with a code object that it forged is not paid, and changes nothing for the next: number %i',
    async (_, code) => {
      expect((await testOf(code)).text).not.toContain('true');
      expect((await runOf(CANARY)).lines).toEqual(canary);
      expect((await testOf('def f(x): return x * 2')).text).toBe('{"passed":true}');
    },
    TEST_MS,
  );

  it(
    'with a loop that nothing ends is killed, and another worker takes over',
    async () => {
      const hasty = new WorkerPool({ workers: 1, timeoutMs: 2_000, limits: LIMITS });
      const loop = SLOW_PROGRAMS['a loop that swallows every exception'] ?? '';
      expect(await runOf(loop, hasty)).toMatchObject({ ending: 'timeout', lines: [] });
      expect((await runOf(CANARY, hasty)).lines).toEqual(canary);
      await hasty.close();
    },
    TEST_MS,
  );
});
