import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import type { Call, Outcome } from '../../../../src/service/code/code-runner.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

/** Longest that one may take on a slow machine under load. */
const TEST_MS = 60_000;
beforeAll(warmSandbox, WARM_UP_MS);

const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };

let pool: WorkerPool;
beforeAll(() => {
  pool = new WorkerPool({ workers: 1, timeoutMs: 10_000, limits: LIMITS });
});
afterAll(() => pool.close());

const callsOf = (...args: readonly unknown[]): Call[] => args.map((arg) => ({ args: [arg], kwargs: {} }));
const outputsOf = ({ lines }: Outcome) => lines.map((line) => JSON.parse(line));

async function run(code: string, calls = callsOf(1), unify = true): Promise<readonly string[]> {
  return outputsOf(await pool.run({ op: 'run', code, entry: 'f', unify, calls }));
}

async function test(code: string, tests: string, entry: string | null = null): Promise<object> {
  return JSON.parse((await pool.run({ op: 'test', code, entry, tests })).text);
}

async function plan(
  tests: string | null,
  entry: string | null = null,
  inputs: readonly unknown[] | null = null,
) {
  return JSON.parse((await pool.run({ op: 'plan', tests, entry, inputs })).text);
}

describe('the output of a call', { timeout: TEST_MS }, () => {
  it.each([
    ['{3, 1, "a"}', "{'a', 1, 3}"],
    ['{"b": 1, "a": {2: 3}}', "{'a': {2: 3}, 'b': 1}"],
    ['[1, 2.0, -0.0, 1e300, 0.1 + 0.2]', '[1, 2, 0, 1e+300, 0.3]'],
    ['(1,)', '(1,)'],
    ['True', 'True'],
    ['10 ** 5000 > 0, 2 ** 70', '(True, 1180591620717411303424)'],
    ['float("nan"), -float("inf")', '(nan, -inf)'],
    ['__import__("collections").Counter("aab")', "{'a': 2, 'b': 1}"],
    ['__import__("decimal").Decimal("1.50")', "Decimal('1.50')"],
    ['b"\\x00", "é"', "(b'\\x00', 'é')"],
    ['frozenset([2, 1])', '{1, 2}'],
    ['set(), {}', '(set(), {})'],
    ['(i for i in [1])', '<OBJECT>'],
    ['object()', '<OBJECT>'],
    ['1 / 0', '<ERR:ZeroDivisionError>'],
    ['exit()', '<ERR:SystemExit>'],
    ['"x" * 5000', '<ERR:OutputLimit>'],
  ])('of %s is the text %s, whatever the hash seed', async (expression, output) => {
    expect(await run(`def f(x): return ${expression}`)).toEqual([output]);
  });

  it('keeps integral floats apart only where that is asked for', async () => {
    expect(await run('def f(x): return 3.0', callsOf(1), false)).toEqual(['3.0']);
  });

  it('is <NOFUNC> without the function, and a syntax error for all calls alike', async () => {
    expect(await run('def g(x): return x')).toEqual(['<NOFUNC>']);
    expect(await run('x = (', callsOf(1, 2))).toEqual(['<ERR:SyntaxError>', '<ERR:SyntaxError>']);
  });

  it('comes from a namespace and arguments of its own', async () => {
    const code = 'seen = []\ndef f(x):\n    seen.append(x)\n    x.append(9)\n    return len(seen), x';
    expect(await run(code, callsOf([1], [1]))).toEqual(['(1, [1, 9])', '(1, [1, 9])']);
  });

  it('is the same at every time and in every worker', async () => {
    const code =
      'import random, time\ndef f(x): return random.random(), time.time(), hash("a"), list({"a", "b", "c"})';
    const other = new WorkerPool({ workers: 1, timeoutMs: 2_000, limits: LIMITS });
    const job = { op: 'run', code, entry: 'f', unify: true, calls: callsOf(1) } as const;
    const [first] = await run(code);
    expect(await run(code)).toEqual([first]);
    expect(outputsOf(await other.run(job))).toEqual([first]);
    await other.close();
  });

  it('of the calls before the one that took too long is kept', async () => {
    const code = 'def f(x):\n    while x == 2: pass\n    return x';
    const hasty = new WorkerPool({ workers: 1, timeoutMs: 2_000, limits: LIMITS });
    const outcome = await hasty.run({ op: 'run', code, entry: 'f', unify: true, calls: callsOf(1, 2, 3) });
    expect(outcome).toMatchObject({ ending: 'timeout', lines: ['"1"'] });
    await hasty.close();
  });

  it('takes no time to sleep', async () => {
    expect(await run('import time\ndef f(x):\n    time.sleep(60)\n    return x')).toEqual(['1']);
  });
});

describe('a plan', () => {
  it('has the literal calls of the function that the asserts call most, without what they expect', async () => {
    const tests =
      "assert f(1)==2\nassert g(x=3)==4\nassert not h(5)\nassert math.isclose(f(2),3)\nassert f([1,2],{'a':1})==0\nassert f(y)==1\nassert f(-1, k=(2,))";
    expect(await plan(tests)).toEqual({
      entry: 'f',
      calls: [
        { args: [1], kwargs: {} },
        { args: [[1, 2], { d: [['a', 1]] }], kwargs: {} },
        { args: [-1], kwargs: { k: { t: [2] } } },
      ],
    });
  });

  it("reads check(candidate), as HumanEval's tests are", async () => {
    const tests =
      'def check(candidate):\n    assert candidate([1.0], 0.5) == False\n    assert True == candidate([], 1)';
    const { entry, calls } = await plan(tests, 'has_close');
    expect([entry, calls.length]).toEqual(['has_close', 1]);
  });

  it('takes inputs as arrays, with keywords, or as Python text', async () => {
    const { calls } = await plan(null, 'f', [
      [1, null],
      { args: [2], kwargs: { k: true } },
      '(1, 2), {3}, s="a"',
    ]);
    expect(calls).toEqual([
      { args: [1, null], kwargs: {} },
      { args: [2], kwargs: { k: true } },
      { args: [{ t: [1, 2] }, { s: [3] }], kwargs: { s: 'a' } },
    ]);
  });

  it.each([
    ['assert f(', null, null],
    [null, 'f', ['__import__("os")']],
    [null, 'f', ['1 +']],
  ])('of %s and inputs %s %s says why there is none', async (tests, entry, inputs) => {
    expect(await plan(tests, entry, inputs)).toEqual({
      fault: expect.stringMatching(/^(The test code|An entry)/),
    });
  });
});

describe('a run of the tests', { timeout: TEST_MS }, () => {
  it.each([
    ['asserts', 'def f(x): return x + 1', 'assert f(1) == 2\nassert f(2) == 3'],
    ['test functions', 'def f(x): return x + 1', 'def test_one():\n    assert f(1) == 2'],
    [
      'check(candidate)',
      'def f(x): return x + 1',
      'def check(candidate):\n    assert candidate(1) == 2',
      'f',
    ],
    [
      'a TestCase',
      'def f(x): return x',
      'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 1)',
    ],
    [
      'an expected exception',
      'def f(x): raise ValueError("no")',
      'try:\n    f(1)\n    assert False\nexcept ValueError as e:\n    assert str(e) == "no"',
    ],
    ['a list changed in place', 'def f(x): x.sort()', 'xs = [3, 1]\nf(xs)\nassert xs == [1, 3]'],
    ['a generator', 'def f(n): yield from range(n)', 'assert list(f(3)) == [0, 1, 2]'],
    ['a returned function', 'def f(n): return lambda x: x + n', 'assert f(1)(2) == 3'],
    [
      'a class',
      'class Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n    def __len__(self): return len(self.items)',
      's = Stack()\ns.push(4)\nassert len(s) == 1 and s.items == [4]',
    ],
    [
      'sets, tuples and floats',
      'def f(): return {1, 2}, (3.5,), {"a": b"x"}',
      'assert f() == ({2, 1}, (3.5,), {"a": b"x"})',
    ],
  ] as const)('passes with %s', async (_, code, tests, entry: string | null = null) => {
    expect(await test(code, tests, entry)).toEqual({ passed: true });
  });

  it.each([
    ['a wrong output', 'def f(x): return x', 'assert f(1) == 2'],
    [
      'one wrong output of several',
      'def f(x): return 2',
      'def test_a():\n    assert f(1) == 2\ndef test_b():\n    assert f(1) == 3',
    ],
    ['a syntax error', 'def f(x) return x', 'assert f(1) == 1'],
    ['no such function', 'def g(x): return x', 'def check(candidate): pass', 'f'],
    [
      'a failing TestCase',
      'def f(x): return x',
      'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)',
    ],
  ] as const)('fails with %s', async (_, code, tests, entry: string | null = null) => {
    expect(await test(code, tests, entry)).toMatchObject({ passed: false });
  });

  it.each([
    ['hold no test', 'def f(x): return x', 'x = f\ndef g(): pass'],
    ['cannot be read', 'def f(x): return x', 'assert f(1) =='],
    ['give the program a function', 'def f(g): return g(1)', 'assert f(lambda x: x) == 1'],
  ])('that %s says so', async (_, code, tests) => {
    expect(await test(code, tests)).toEqual({ fault: expect.stringMatching(/^The test/) });
  });
});

describe('a pool', { timeout: TEST_MS }, () => {
  it('refuses what waits and what runs when it is closed', async () => {
    const closing = new WorkerPool({ workers: 1, timeoutMs: 60_000, limits: LIMITS });
    const job = {
      op: 'run',
      code: 'def f(x):\n    while True: pass',
      entry: 'f',
      unify: true,
      calls: callsOf(1),
    } as const;
    const jobs = [closing.run(job), closing.run(job)].map((run) => run.catch(({ code }) => code));
    expect(closing.queued).toBe(2);
    await closing.close();
    expect(await Promise.all(jobs)).toEqual(['draining', 'draining']);
    await expect(closing.run(job)).rejects.toMatchObject({ code: 'draining' });
  });

  it('says that there is no sandbox when no worker starts', async () => {
    // Less memory than an interpreter needs to start.
    const broken = new WorkerPool({
      workers: 1,
      timeoutMs: 1_000,
      limits: { ...LIMITS, memoryBytes: 65_536 },
    });
    await expect(broken.run({ op: 'plan', entry: 'f', tests: null, inputs: [] })).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    });
    await broken.close();
  });
});
