import { beforeAll, describe, expect, it } from 'vitest';
import { runners } from '../../../scripts/vectors/code.ts';
import { WARM_UP_MS, warmSandbox } from '../../support/warm-sandbox.ts';

beforeAll(warmSandbox, WARM_UP_MS);

const run = (id: string, input: unknown, expected: unknown = {}) =>
  runners[id]?.({ id, input, expected } as Parameters<NonNullable<(typeof runners)[string]>>[0]);

describe('the runners of the code vectors', { timeout: WARM_UP_MS }, () => {
  it('tell the vote of programs as the reference spells it', async () => {
    const programs = [
      'def f(x): return x',
      'def f(x): return x + 0.0',
      'def g(x): return x',
      'def f(x): return x',
    ];
    expect(await run('code-vote-1', { test_code: 'def test_f():\n    assert f(1) == 1', programs })).toEqual({
      got: {
        entry_point: 'f',
        inputs: [[1]],
        outputs: [['1'], ['1.0'], ['<NOFUNC>'], ['1']],
        vote_keys: ["('1',)", "('1.0',)", null, "('1',)"],
        label: "('1',)",
        top_count: 2,
        n_valid: 3,
        rewards: [1, 0, 0, 1],
        gt_rewards: [1, 1, 0, 1],
      },
    });
  });

  it("leave out calls of other functions, and the reference's empty ones with them", async () => {
    const input = { test_code: "assert f({'a': 1}) == 2\nassert g(x=3) == 4\nassert f(2) == 2" };
    const result = await run('code-extract-calls', input, {
      entry_point: 'f',
      inputs: [[{ a: 1 }], [], [2]],
    });
    expect(result).toMatchObject({ got: { entry_point: 'f', inputs: [[{ a: 1 }], [2]] } });
    expect(result?.got).toEqual(result?.expected);
  });

  it("take HumanEval's check, and abstain for objects", async () => {
    const test_code = 'def check(candidate):\n    assert candidate(1) == True';
    const input = { test_code, program: 'def h(x): return x > 0', entry_point: 'h' };
    expect(await run('code-humaneval', input)).toMatchObject({
      got: { server_vote_key: "('True',)", server_passes_tests: true },
    });
    const cases = [{ program: 'def s(x): return iter(x)', inputs: [[[1]]] }];
    expect(await run('code-degenerate', { cases })).toEqual({ got: { vote_keys: [null] } });
  });
});
