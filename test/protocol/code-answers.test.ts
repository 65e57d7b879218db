import { beforeAll, describe, expect, it } from 'vitest';
import { WARM_UP_MS, warmSandbox } from '../support/warm-sandbox.ts';
import { openRlhfOf, openServer } from './test-server.ts';

beforeAll(warmSandbox, WARM_UP_MS);

const TESTS = 'assert add(1, 2) == 3\nassert add(-1, 1) == 0';
const fenced = (code: string) => `Here it is:\n\`\`\`python\n${code}\n\`\`\`\nDone.`;
const RIGHT = fenced('def add(a, b):\n    return a + b');
const ALSO_RIGHT = fenced('def add(a, b):\n    return sum([a, b]) * 1.0');
const WRONG = fenced('def add(a, b):\n    return a - b');
const HOSTILE = fenced('import posix\ndef add(a, b):\n    posix._exit(0)');

const code = { workers: 1, memoryBytes: 128 * 1_048_576 };

function groupOf(promptId: string, completions: readonly string[], fields: object = {}) {
  return {
    prompt_id: promptId,
    mode: 'code',
    test_code: TESTS,
    rollouts: completions.map((completion, index) => ({ index, completion })),
    ...fields,
  };
}

describe('code answers', { timeout: WARM_UP_MS }, () => {
  it('vote with what they return, and are rewarded for the outputs that the peer voted for', async () => {
    const server = await openServer({ code });
    await server.submit('b', { groups: [groupOf('p', [RIGHT, ALSO_RIGHT])] });
    const { body } = await server.submit('a', { groups: [groupOf('p', [ALSO_RIGHT, WRONG])] });
    expect(body.groups[0]).toMatchObject({
      status: 'scored',
      label: '(3, 0)',
      label_share: 1,
      rewards: [1, 0],
    });
    expect(body.groups[0].rollouts.map((rollout: { answer: string }) => rollout.answer)).toEqual([
      '(3, 0)',
      '(-1, -2)',
    ]);
  });

  it('are graded by the tests under ground-truth, which then needs no other truth', async () => {
    const server = await openServer({ code, method: 'ground-truth', k: 3 });
    const { body } = await server.submit('a', { groups: [groupOf('p', [RIGHT, WRONG, HOSTILE])] });
    expect(body.groups[0]).toMatchObject({
      status: 'scored',
      reward_source: 'ground-truth',
      rewards: [1, 0, 0],
    });
    const { text } = await server.get('/metrics');
    expect(text).toContain('peervote_code_run_seconds_count{job="test",outcome="passed"} 1');
    expect(text).toContain('peervote_code_run_seconds_count{job="test",outcome="ended"} 1');
    expect(text).toContain('peervote_code_programs_pending 0');
  });

  it('may be called with given inputs instead of asserts', async () => {
    const server = await openServer({ code });
    const given = { test_code: null, entry_point: 'add', inputs: [[1, 2], '"a", b="b"'] };
    await server.submit('b', { groups: [groupOf('p', [RIGHT, RIGHT], given)] });
    const { body } = await server.submit('a', { groups: [groupOf('p', [RIGHT, WRONG], given)] });
    expect(body.groups[0]).toMatchObject({ label: "(3, 'ab')", rewards: [1, 0] });
  });

  it('may be a method of class Solution, or a body without its head, with an example behind it', async () => {
    const server = await openServer({ code, method: 'ground-truth', k: 3 });
    const completions = [
      `${fenced('class Solution:\n    def add(self, a, b):\n        return a + b')}\n${fenced('print(Solution().add(1, 2))')}`,
      '    return a + b\n',
      '    return a - b\n',
    ];
    const fields = { entry_point: 'Solution().add' };
    const { body } = await server.submit('a', { groups: [groupOf('p', completions, fields)] });
    expect(body.groups[0].rewards).toEqual([1, 1, 0]);
  });

  it("come from OpenRLHF with the tests in the label column's JSON", async () => {
    const server = await openServer({ code, method: 'ground-truth' });
    const label = JSON.stringify({ pid: 'p', task: 'code', test_code: TESTS });
    const { body } = await server.reward('a', openRlhfOf(RIGHT, label));
    expect(body.rewards).toEqual([1]);
  });

  it('that say nothing of how to run them stay texts, under a method that needs the truth an error', async () => {
    const server = await openServer({ code, method: 'ground-truth' });
    const reply = await server.submit('a', { groups: [groupOf('p', [RIGHT], { test_code: ' ' })] });
    expect(reply.body).toMatchObject({
      code: 'ground_truth_required',
      detail: expect.stringContaining('test_code'),
    });
  });

  it.each([
    ['an entry point that is no name', { entry_point: 'f()' }],
    ['inputs that are no calls', { inputs: [1] }],
    ['inputs nested too deeply', { inputs: [JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`)] }],
    ['inputs that are too long', { inputs: ['x', 'y', 'z'].map((char) => [char.repeat(100_000)]) }],
    ['too many inputs', { inputs: Array.from({ length: 1_001 }, () => []) }],
    ['too long tests', { test_code: 'x'.repeat(262_145) }],
  ])('with %s are refused', async (_, fields) => {
    const server = await openServer({ code });
    const reply = await server.submit('a', { groups: [groupOf('p', [RIGHT], fields)] });
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_request']);
  });
});
