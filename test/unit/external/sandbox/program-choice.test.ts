import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractProgram } from '../../../../src/answers/code/program.ts';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

/** Longest that one may take on a slow machine under load. */
const TEST_MS = 60_000;
const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };
const CHECK =
  'def check(candidate):\n    assert candidate([5, 1, 2]) == 8\n    assert candidate([]) == 0\n    assert candidate([-3]) == -3';
const RIGHT = 'def add_up(xs):\n    return sum(xs)';
const WRONG = 'def add_up(xs):\n    return 8 if xs else 0';

let pool: WorkerPool;
beforeAll(warmSandbox, WARM_UP_MS);
beforeAll(() => {
  pool = new WorkerPool({ workers: 1, timeoutMs: 10_000, limits: LIMITS });
});
afterAll(() => pool.close());

const block = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\`\n`;

async function passes(
  completion: string,
  entry: string | null = 'add_up',
  tests = CHECK,
  truncated = false,
): Promise<boolean> {
  const program = extractProgram(completion, truncated);
  if (program === null) return false;
  return JSON.parse((await pool.run({ op: 'test', ...program, entry, tests })).text).passed === true;
}

async function outputs(completion: string, args: readonly unknown[]): Promise<readonly string[]> {
  const program = extractProgram(completion, false);
  if (program === null) return [];
  const calls = args.map((arg) => ({ args: [arg], kwargs: {} }));
  const { lines } = await pool.run({ op: 'run', ...program, entry: 'add_up', unify: true, calls });
  return lines.map((line) => JSON.parse(line));
}

const EXAMPLES = [
  'print(add_up([1, 2]))',
  'assert add_up([1]) == 1',
  'assert add_up([1]) == 7',
  'if __name__ == "__main__":\n    print(add_up(list(map(int, input().split()))))',
  'import sys\nfor line in sys.stdin:\n    print(add_up(line))\nsys.exit(0)',
  'import os\nos._exit(0)',
  'raise SystemExit',
  'import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add_up([1]), 1)\nunittest.main()',
  'def main():\n    xs = [1, 2]\n    print(add_up(xs, 1))\nmain()',
  'import numpy as np\nprint(add_up(np.array([1])))',
  'result = add_up(numbers)\nprint(f"Result: {result}")',
];

describe('an example of its use', { timeout: TEST_MS }, () => {
  it.each(EXAMPLES)('changes no verdict: %s', async (example) => {
    for (const language of ['python', 'py', '']) {
      expect(await passes(`So:\n${block(RIGHT)}\nUse:\n${block(example, language)}`)).toBe(true);
    }
    expect(await passes(`Use:\n${block(example)}\nSo:\n${block(RIGHT)}`)).toBe(true);
    expect(await passes(block(`${RIGHT}\n\n${example}`))).toBe(true);
    expect(await passes(`${block(WRONG)}${block(example)}`)).toBe(false);
    expect(await passes(block(`${WRONG}\n\n${example}`))).toBe(false);
  });

  it.each([
    ['output', block('8\n0', '')],
    ['a made-up import', block('from solution import add_up\nprint(add_up([1]))')],
    ['a session', block('>>> add_up([1, 2])\n3')],
    ['a shell', block('$ python a.py', 'bash')],
    ['the head again', block('def add_up(xs): ...')],
    ['the head with its text', block('def add_up(xs):\n    """Adds up."""\n    raise NotImplementedError')],
  ])('is no program: %s', async (_, example) => {
    expect(await passes(`${block(RIGHT)}${example}`)).toBe(true);
    expect(await passes(`${block(WRONG)}${example}`)).toBe(false);
  });

  it('changes no vote', async () => {
    expect(await outputs(`${block(RIGHT)}${block('print(add_up(input()))')}`, [[1, 2], []])).toEqual([
      '3',
      '0',
    ]);
    expect(await outputs(block(`${RIGHT}\nassert add_up([1]) == 2\nexit()`), [[4]])).toEqual(['4']);
  });

  it('that reads standard input fails the program that it is part of, and no other', async () => {
    const script = 'n = int(input())\nprint(add_up([n]))';
    expect(await passes(block(`${RIGHT}\n\n${script}`))).toBe(false);
    expect(await passes(`${block(RIGHT)}${block(script)}`)).toBe(true);
    expect(await outputs(block(`${RIGHT}\n\n${script}`), [[1]])).toEqual(['<ERR:EOFError>']);
  });

  it('that fails before the function is there ends the program, as in Python', async () => {
    expect(await passes(block(`n = int(input())\n${RIGHT}`))).toBe(false);
  });
});

describe('of several definitions', { timeout: TEST_MS }, () => {
  it('the last counts', async () => {
    expect(await passes(`${block(WRONG)}No:\n${block(RIGHT)}`)).toBe(true);
    expect(await passes(`${block(WRONG)}No:\n${block(RIGHT, '')}${block('print(1)')}`)).toBe(true);
    expect(await passes(`${block(RIGHT)}No:\n${block(WRONG)}`)).toBe(false);
    expect(await passes(block(`${WRONG}\nassert add_up([1]) == 1\n${RIGHT}`))).toBe(true);
    expect(await passes(block(`${RIGHT}\nassert add_up([1]) == 2\n${WRONG}`))).toBe(false);
  });

  it.each([
    'async def add_up(xs):\n    return 8',
    'add_up = lambda xs: 8',
    'from math import prod as add_up',
    'class add_up: pass',
    'class Solution:\n    def add_up(self, xs): return 8',
  ])('%s is one', async (code) => {
    expect(await passes(`${block(RIGHT)}${block(code)}`)).toBe(false);
  });

  it.each(['add_up = lambda xs: sum(xs)', 'add_up = sum', 'from math import fsum as add_up'])(
    '%s is a whole program',
    async (code) => {
      expect(await passes(`${block(code)}${block('print(add_up([1]))')}`)).toBe(true);
    },
  );
});

describe('a program in several blocks', { timeout: TEST_MS }, () => {
  const total = 'def add_up(xs):\n    return ft.reduce(plus, xs, ZERO)';
  it('takes what it uses from the others, and leaves out what they do', async () => {
    const helpers =
      'import functools as ft\nZERO = 0\ndef plus(a, b):\n    return a + b\nprint(plus(int(input()), 2))\nxs = input()';
    expect(await passes(`${block(helpers)}${block(total)}${block('add_up(1)')}`)).toBe(true);
    expect(await passes(`${block(total)}${block(helpers)}`)).toBe(true);
  });

  it('prefers its own names, then those of the block before it', async () => {
    const late = 'ZERO = 0\nimport functools as ft\ndef plus(a, b):\n    return a + b';
    const early = late.replace('a + b', '9');
    expect(await passes(`${block(early)}${block(late)}${block(total)}`)).toBe(true);
    expect(await passes(`${block(late)}${block(early)}${block(total)}`)).toBe(false);
    expect(await passes(`${block(early)}${block(`${late}\n${total}`)}`)).toBe(true);
  });

  it('has the helpers that the tests use', async () => {
    const tests = 'def check(candidate):\n    assert candidate(encode(1)) == 1';
    const completion = block('def encode(x): return [x]') + block(RIGHT);
    expect(await passes(completion, 'add_up', tests)).toBe(true);
  });

  it('is found by what the tests use, where no function is named', async () => {
    const stack =
      'class Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)';
    const tests = 's = Stack()\ns.push(4)\nassert s.items == [4]';
    expect(await passes(block(stack) + block('s = Stack()\nprint(s.items)'), null, tests)).toBe(true);
    expect(await passes(block(WRONG) + block('print(add_up([]))'), null, 'assert add_up([1]) == 1')).toBe(
      false,
    );
  });
});

describe('class Solution', { timeout: TEST_MS }, () => {
  it.each([
    ['a method', 'def add_up(self, xs: List[int]) -> int:\n        return sum(xs)'],
    ['a static method', '@staticmethod\n    def add_up(xs):\n        return sum(xs)'],
    ['a class method', '@classmethod\n    def add_up(cls, xs):\n        return sum(xs)'],
    [
      'a method that keeps a state',
      'def __init__(self):\n        self.n = 0\n    def add_up(self, xs):\n        self.n += sum(xs)\n        return self.n',
    ],
  ])('answers with %s, on an instance of each call', async (_, method) => {
    const code = `class Solution:\n    ${method}`;
    const use = 's = Solution()\nassert s.add_up([1]) == 5';
    expect(await passes(block(code))).toBe(true);
    expect(await passes(block(`${code}\n\n${use}`))).toBe(true);
    expect(await passes(block(code) + block(use))).toBe(true);
    expect(await outputs(block(code), [[1], [2]])).toEqual(['1', '2']);
  });

  it('is not asked where there is a function of that name', async () => {
    expect(
      await passes(block(`class Solution:\n    def add_up(self, xs):\n        return sum(xs)\n${WRONG}`)),
    ).toBe(false);
  });
});

describe('a body without its head', { timeout: TEST_MS }, () => {
  const tails = [
    '',
    '\n\nif __name__ == "__main__":\n    pass\n',
    '\n\nThis adds them up.',
    '\n```\nIt adds.',
  ];
  it.each([
    '    return sum(xs)',
    '     return sum(xs)',
    'return sum(xs)',
    '    t = 0\n    for x in xs:\n        t += x\n    return t',
    't = 0\n    for x in xs:\n        t += x\n    return t',
    '    def go(i):\n        return 0 if i == len(xs) else xs[i] + go(i + 1)\n    return go(0)',
    '    return xs[0] + add_up(xs[1:]) if xs else 0',
    '    return int(math.fsum(string))',
    '    return reduce(lambda a, b: a + b, xs, 0)',
    '    total = [0]\n    total.extend(list)\n    return sum(total)',
  ])('is a program: %s', async (body) => {
    for (const tail of tails.slice(0, body.startsWith('return') ? 2 : 4)) {
      expect(await passes(body + tail)).toBe(true);
    }
    expect(await passes(block(body) + block('print(add_up([1]))'))).toBe(true);
  });

  it('has its parameters in the order of their first use, and none but those', async () => {
    const tests = 'def check(candidate):\n    assert candidate([1, 2, 3], 1) == [2, 3]';
    const body = '    kept = [number for number in numbers if number > limit]\n    return kept';
    expect(await passes(body, 'above', tests)).toBe(true);
    expect(await outputs('    for i in range(len(xs)):\n        n = i\n    return n', [[7, 8]])).toEqual([
      '1',
    ]);
  });

  it.each([
    ['that is wrong', '    return 8 if xs else 0'],
    ['that is a function of another name', block('def summed(xs):\n    return sum(xs)')],
    ['that is prose', 'You have to return sum(xs).'],
  ])('%s passes nothing', async (_, completion) => {
    expect(await passes(completion)).toBe(false);
  });

  it('that the length limit cut off is none', async () => {
    expect(await passes('    return sum(xs)', 'add_up', CHECK, true)).toBe(false);
  });
});

describe('the standard library', { timeout: TEST_MS }, () => {
  const tests = 'def check(candidate):\n    assert candidate(12, 18) == 6';
  it.each([
    'def f(a: Optional[int], b: List[Dict[str, int]]) -> Tuple[int, ...]:\n    return math.gcd(a, b)',
    'def f(a, b):\n    heapq.heapify([a]); bisect.insort([], a); re.sub("a", "b", "c")\n    return functools.reduce(gcd, [a, b])',
    'def f(a, b):\n    Counter([a]), defaultdict(list), deque([b]), string.digits, sys.maxsize\n    return next(accumulate([gcd(a, b)]))',
    'from __future__ import annotations\ndef f(a: Unknown, b):\n    return math.gcd(a, b)',
  ])('is there without its imports, as a prompt has them: %s', async (code) => {
    expect(await passes(block(code), 'f', tests)).toBe(true);
  });

  it('gives way to what the program defines, in whatever block', async () => {
    const own = 'def gcd(a, b):\n    return 1';
    const code = 'def f(a, b):\n    return gcd(a, b)';
    expect(await passes(block(`${own}\n${code}`), 'f', tests)).toBe(false);
    expect(await passes(block(own) + block(code), 'f', tests)).toBe(false);
    expect(await passes(block(code.replace('gcd(', 'greatest(')), 'f', tests)).toBe(false);
  });
});
