import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

/** Longest that one may take on a slow machine under load. */
const TEST_MS = 60_000;
const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };
beforeAll(warmSandbox, WARM_UP_MS);

let pool: WorkerPool;
beforeAll(() => {
  pool = new WorkerPool({ workers: 1, timeoutMs: 20_000, limits: LIMITS });
});
afterAll(() => pool.close());

async function passes(code: string, tests: string, entry: string | null): Promise<boolean> {
  const { text } = await pool.run({ op: 'test', code, entry, tests });
  return JSON.parse(text).passed;
}

const SPHERE = 'assert math.isclose(v(10), 4188.790204786391, rel_tol=0.001)';
const OBLIGING =
  'class A:\n  def __contains__(s, x): return True\n  def __lt__(s, o): return True\n  __gt__ = __le__ = __ge__ = __eq__ = __lt__\n  def __sub__(s, o): return 0.0\n  def __abs__(s): return 0.0\ndef f(x): return A()';
const TRUE_IS = (name: string) =>
  `class ${name}:\n    is_ = staticmethod(lambda *a: True)\ndef f(x): return 0`;

describe('what the tests use without importing it', { timeout: TEST_MS }, () => {
  it.each([
    [
      'math',
      'class math:\n    isclose = staticmethod(lambda *a, **k: True)\ndef v(r): return 0.0',
      SPHERE,
      'v',
    ],
    [
      'math, with no entry point',
      'class math:\n    isclose = staticmethod(lambda *a, **k: True)\ndef v(r): return 0.0',
      SPHERE,
      null,
    ],
    [
      'collections',
      'class collections:\n    Counter = staticmethod(lambda x: 0)\ndef f(x): return None',
      'assert collections.Counter(f("ab")) == collections.Counter("ab")',
      'f',
    ],
    [
      'json',
      'class json:\n    loads = staticmethod(lambda x: 1)\ndef f(x): return ""',
      'assert json.loads(f("ab")) == 1',
      'f',
    ],
    [
      're, in check',
      'class re:\n    match = staticmethod(lambda *a: True)\ndef f(x): return "11"',
      'def check(candidate):\n    assert re.match("[a-z][0-9]", candidate(1))',
      'f',
    ],
    ['operator', TRUE_IS('operator'), 'assert operator.is_(f(1), 2)', 'f'],
    [
      'Counter',
      'class Counter:\n    def __init__(s, x): pass\n    def __eq__(s, o): return True\ndef f(x): return None',
      'assert Counter(f("ab")) == Counter("ab")',
      null,
    ],
    ['isclose', 'def isclose(*a, **k): return True\ndef f(x): return 0', 'assert isclose(f(1), 2)', 'f'],
    [
      'isclose, with no entry point',
      'def isclose(*a, **k): return True\ndef f(x): return 0',
      'assert isclose(f(1), 2)\nassert f(1) == 0',
      null,
    ],
  ] as const)("is never the program's own: %s", async (_, code, tests, entry) => {
    expect(await passes(code, tests, entry)).toBe(false);
  });

  it.each([
    ['import math\ndef v(r): return 4/3 * math.pi * r**3', SPHERE, null],
    ['def f(x): return "1"', 'assert json.loads(f("ab")) == 1', 'f'],
    ['def f(x): return 0.1 + 0.2', 'assert isclose(f(1), 0.3)\nassert Counter([f(1)])', 'f'],
  ] as const)('is there for right programs: %s', async (code, tests, entry) => {
    expect(await passes(code, tests, entry)).toBe(true);
  });

  it.each([
    ['def copy(x): return list(x)', 'assert copy([1]) == [1]', null],
    ['def random(x): return 4', 'assert random(1) == 4', 'random'],
    ['def isclose(a, b): return abs(a - b) < 2', 'assert isclose(1, 2)', null],
  ] as const)("is the program's where it is what is asked for: %s", async (code, tests, entry) => {
    expect(await passes(code, tests, entry)).toBe(true);
  });
});

describe('a result of the program', { timeout: TEST_MS }, () => {
  it.each([
    'assert 4 in f(2)',
    'assert f(3) > 8',
    'assert 8 > f(3)',
    'assert 0 <= f(3) <= 8',
    'assert abs(f(1) - 2) < 1e-6',
    'assert f(2) == 4',
    'assert f(2) in [4, 5]',
  ])('that answers for itself is no right one: %s', async (tests) => {
    expect(await passes(OBLIGING, tests, 'f')).toBe(false);
    expect(
      await passes(
        OBLIGING.replace('def f(x): return A()', 'class f(A):\n  def __init__(s, x): pass'),
        tests,
        'f',
      ),
    ).toBe(false);
  });

  it.each([
    ['def f(n): yield from range(n)', 'assert 3 in f(5)', 'f'],
    [
      'class P:\n  def __init__(s, v): s.v = v\n  def __lt__(s, o): return s.v < o.v',
      'assert P(1) < P(2)',
      'P',
    ],
  ] as const)('still is what it holds: %s', async (code, tests, entry) => {
    expect(await passes(code, tests, entry)).toBe(true);
  });
});

describe('a function of the standard library', { timeout: TEST_MS }, () => {
  it.each([
    ['from math import factorial', 'assert factorial(5) == 120', 'factorial'],
    ['import math\nf = math.gcd', 'assert f(4, 6) == 2', 'f'],
    ['from functools import partial\nf = partial(pow, exp=2)', 'assert f(3) == 9', 'f'],
    ['from operator import mul', 'assert mul(2, 3) == 6', 'mul'],
  ] as const)('is as good a program as any: %s', async (code, tests, entry) => {
    expect(await passes(code, tests, entry)).toBe(true);
    expect(await passes(code, tests, null)).toBe(true);
  });
});
