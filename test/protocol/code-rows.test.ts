import { beforeAll, describe, expect, it } from 'vitest';
import { WARM_UP_MS, warmSandbox } from '../support/warm-sandbox.ts';
import { openRlhfOf, openServer } from './test-server.ts';

beforeAll(warmSandbox, WARM_UP_MS);

const fenced = (code: string) => `Here it is:\n\`\`\`python\n${code}\n\`\`\`\nDone.`;
const code = { workers: 1, memoryBytes: 128 * 1_048_576 };

const ADD = [
  'def add(x: int, y: int):\n    return x + y',
  'def add(x, y):\n    return x - y',
  'def add(x, y):\n    return sum((x, y))',
].map(fenced);
const READS = [
  'a, b = map(int, input().split())\nprint(a + b)',
  'a, b = map(int, input().split())\nprint(a * b)',
  "import sys\nprint(sum(int(x) for x in sys.stdin.buffer.read().split()), '  ')\nprint()\nraise SystemExit",
].map(fenced);

/** Rows of data sets as their files have them, shortened. The second of three programs is wrong. */
const ROWS: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'HumanEval',
    {
      task_id: 'HumanEval/53',
      prompt: 'def add(x: int, y: int):\n    """Add two numbers"""\n',
      entry_point: 'add',
      canonical_solution: '    return x + y\n',
      test: '\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate(0, 1) == 1\n    assert candidate(x=2, y=3) == 5\n',
    },
    ADD,
  ],
  [
    'MBPP',
    {
      task_id: 601,
      text: 'Write a function to add.',
      code: 'def add(x, y): return x + y',
      test_list: ['assert add(1, 2) == 3', 'assert add(2, 2) == 4'],
      test_setup_code: '',
      challenge_test_list: [],
    },
    ADD,
  ],
  [
    'LiveCodeBench, stdin',
    {
      question_title: 'A+B',
      question_id: 'abc_1',
      public_test_cases: '[{"input": "3 4\\n", "output": "7\\n", "testtype": "stdin"}]',
      private_test_cases: '[{"input": "10 -4", "output": "6.0", "testtype": "stdin"}]',
      metadata: '{}',
    },
    READS,
  ],
  [
    'LiveCodeBench, a function',
    {
      question_id: 'lc_2',
      public_test_cases: '[{"input": "3\\n4", "output": "7", "testtype": "functional"}]',
      private_test_cases: 'eJxrYJmaxAAA',
      metadata: '{"func_name": "add"}',
    },
    ADD,
  ],
  [
    'APPS',
    { problem_id: 1, input_output: '{"inputs": ["3 4\\n", "1 1"], "outputs": ["7\\n", "2\\n"]}' },
    READS,
  ],
  ['verl', { ground_truth: '{"inputs": [[3, 4], [0, 1]], "outputs": [[7], [1]], "fn_name": "add"}' }, ADD],
  ['our own words for stdin', { stdin: [{ input: '3 4', output: '7' }] }, READS],
];

describe('a row of a code data set', { timeout: WARM_UP_MS }, () => {
  it.each(ROWS)('of %s grades programs as it is, native and in a label', async (_name, row, completions) => {
    const server = await openServer({ code, method: 'ground-truth', k: 3 });
    const rollouts = completions.map((completion, index) => ({ index, completion }));
    const { body } = await server.submit('a', {
      groups: [{ prompt_id: 'p', mode: 'code', code_row: row, rollouts }],
    });
    expect(body.groups[0]).toMatchObject({
      status: 'scored',
      reward_source: 'ground-truth',
      rewards: [1, 0, 1],
    });
    const label = JSON.stringify({ ...row, task: 'code' });
    const rewards = [];
    for (const completion of completions) {
      rewards.push(...(await server.reward('a', openRlhfOf(completion, label))).body.rewards);
    }
    expect(rewards).toEqual([1, 0, 1]);
  });

  it.each(ROWS)(
    'of %s says what programs are called with where their outputs vote',
    async (_name, row, completions) => {
      const server = await openServer({ code, k: 3 });
      const rollouts = completions.map((completion, index) => ({ index, completion }));
      const groups = [{ prompt_id: 'p', mode: 'code', code_row: row, rollouts }];
      await server.submit('b', { groups });
      const { body } = await server.submit('a', { groups });
      expect(body.groups[0]).toMatchObject({ status: 'scored', rewards: [1, 0, 1] });
    },
  );

  it('names its problem where a label has no other id', async () => {
    const server = await openServer({ code, method: 'ground-truth' });
    await server.reward('a', openRlhfOf(ADD[0] ?? '', JSON.stringify({ ...ROWS[0]?.[1], task: 'code' })));
    expect((await server.get('/v1/cohorts/test/buckets/HumanEval%2F53')).status).toBe(200);
  });

  it('that says nothing of its programs is refused with what would', async () => {
    const server = await openServer({ code });
    const group = {
      prompt_id: 'p',
      mode: 'code',
      code_row: { question: 'x' },
      rollouts: [{ index: 0, completion: 'x' }],
    };
    const { status, body } = await server.submit('a', { groups: [group] });
    expect([status, body.code]).toEqual([422, 'invalid_request']);
    expect(body.detail).toMatch(/code_row of prompt "p" .* HumanEval, MBPP, LiveCodeBench/);
  });
});

describe('a program that reads stdin', { timeout: WARM_UP_MS }, () => {
  async function rewardsOf(programs: readonly string[], stdin: readonly object[]) {
    const server = await openServer({ code, method: 'ground-truth', k: programs.length });
    const rollouts = programs.map((program, index) => ({ index, completion: fenced(program) }));
    const { body } = await server.submit('a', {
      groups: [{ prompt_id: 'p', mode: 'code', stdin, rollouts }],
    });
    return body.groups[0].rewards;
  }

  it('is right by its lines, its words and its numbers, whatever the white space', async () => {
    const stdin = [{ input: '', output: '1.50 x\nYES\n' }];
    const programs = [
      "print('1.5  x ')\nprint('YES\\n\\n')",
      "print('1.5 x YES')",
      "print('1.51 x')\nprint('YES')",
      "print('1.5 x')\nprint('yes')",
      "print('1.5 x')",
      "import sys\nsys.stdout.buffer.write(b'1.5 x\\nYES')",
    ];
    expect(await rewardsOf(programs, stdin)).toEqual([1, 0, 0, 0, 0, 1]);
  });

  it('starts anew for every input, and cannot see what is expected of it', async () => {
    const stdin = [
      { input: '1', output: '1' },
      { input: '2', output: '2' },
    ];
    const programs = [
      "import builtins\nn = getattr(builtins, 'n', 0) + 1\nprint(input())",
      'print(1)',
      "import sys\nf = sys._getframe()\nwhile f:\n    for v in list(f.f_locals.values()):\n        if v == '2': print(v)\n    f = f.f_back",
      "if __name__ == '__main__':\n    print(open(0).read())",
    ];
    expect((await rewardsOf(programs, stdin)).slice(0, 3)).toEqual([1, 0, 0]);
  });
});

describe('the label of programs whose outputs vote', { timeout: WARM_UP_MS }, () => {
  it('is known for right or wrong by the tests, in figures, the inspector and replies, and pays as it is', async () => {
    const server = await openServer({ code, k: 3 });
    const send = (agent: string, promptId: string, programs: readonly number[]) =>
      server.submit(agent, {
        groups: [
          {
            prompt_id: promptId,
            mode: 'code',
            code_row: ROWS[1]?.[1],
            rollouts: programs.map((which, index) => ({ index, completion: ADD[which] })),
          },
        ],
      });
    // Two wrong programs of three outvote the right one.
    await send('b', 'misled', [0, 1, 1]);
    expect((await send('a', 'misled', [1, 0, 2])).body.groups[0].rewards).toEqual([1, 0, 0]);
    await send('b', 'right', [0, 1, 2]);
    expect((await send('a', 'right', [1, 0, 2])).body.groups[0].rewards).toEqual([0, 1, 1]);
    const { rounds } = (await server.get('/v1/cohorts/test/buckets/misled')).body;
    const labels = rounds[0].groups.map((group: Record<string, unknown>) => [
      group.agent,
      group.label_correct,
    ]);
    expect(Object.fromEntries(labels)).toEqual({ a: false, b: true });
    const { text } = await server.get('/metrics');
    const counted = text
      .split('\n')
      .filter((line: string) => line.startsWith('peervote_used_labels_graded_total{'));
    expect(
      counted.filter((line: string) => line.includes('agent="a"')).map((line: string) => line.split(' ')[1]),
    ).toEqual(['1', '1']);
  });
});
