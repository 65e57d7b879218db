import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FusionRunner } from '../../../../src/external/sandbox/fusion-runner.ts';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { CodeService } from '../../../support/code-service.ts';
import { WARM_UP_MS, warmSandbox } from '../../../support/warm-sandbox.ts';

const call = { args: [1], kwargs: {} };

let service: CodeService;
let runner: FusionRunner;
beforeAll(warmSandbox, WARM_UP_MS);
beforeAll(async () => {
  service = await CodeService.running();
  runner = runnerAt(service.url, 10_000);
});
afterAll(async () => {
  await runner.close();
  service.close();
});

function runnerAt(url: string, timeoutMs = 500): FusionRunner {
  const limits = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };
  const tester = new WorkerPool({ workers: 1, timeoutMs: 30_000, limits });
  return new FusionRunner({ url, connections: 1, timeoutMs, outputBytes: 4_096, tester });
}

const runJob = (code: string, calls = [call]) =>
  ({ op: 'run', code, entry: 'f', unify: true, calls }) as const;

describe('a SandboxFusion-compatible service', { timeout: 60_000 }, () => {
  it('gives the outputs that the embedded sandbox gives', async () => {
    const code = 'def f(x):\n    print("noise")\n    return {2, x}, "é", 3.0';
    expect(await runner.run(runJob(code))).toMatchObject({
      ending: 'returned',
      lines: [JSON.stringify("({1, 2}, 'é', 3)").replace('é', '\\u00e9')],
    });
  });

  it('makes a plan', async () => {
    const { text } = await runner.run({
      op: 'plan',
      tests: 'assert f(1, k="é") == 2',
      entry: null,
      inputs: null,
    });
    expect(JSON.parse(text)).toEqual({ entry: 'f', calls: [{ args: [1], kwargs: { k: 'é' } }] });
  });

  it.each([
    ['right', 'def f(x): return x + 1', { passed: true }],
    ['wrong', 'def f(x): return x', { passed: false, error: 'AssertionError' }],
    [
      'equal to everything',
      'class A:\n    def __eq__(self, o): return True\ndef f(x): return A()',
      { passed: false, error: 'AssertionError' },
    ],
    ['gone', 'import posix\ndef f(x): posix._exit(0)', { passed: false, error: 'ProgramEnded' }],
  ])('tells by the tests what a program is that is %s', async (_, code, verdict) => {
    const { ending, text } = await runner.run({ op: 'test', code, entry: 'f', tests: 'assert f(1) == 2' });
    expect([ending, JSON.parse(text)]).toEqual(['returned', verdict]);
  });

  it.each([
    [
      'test functions',
      'def f(x): return x + 1',
      'def test_a():\n    assert f(1) == 2\ndef test_b():\n    assert f(2) == 3',
      true,
    ],
    ['a loop', 'def f(x): return x + 1', 'for n in range(5):\n    assert f(n) == n + 1', true],
    [
      'a class',
      'class f:\n    def __init__(self, x): self.x = [x]\n    def add(self, x): self.x.append(x)',
      's = f(1)\ns.add(2)\nassert s.x == [1, 2]',
      true,
    ],
    [
      'a wrong output late',
      'def f(x): return x + (x < 4)',
      'for n in range(6):\n    assert f(n) == n + 1',
      false,
    ],
    [
      'a swallowed end',
      'import os\ndef f(x): os.abort()',
      'try:\n    f(1)\nexcept BaseException: pass\nassert f(2) == 3',
      false,
    ],
  ] as const)('tells it by %s too', async (_, code, tests, passed) => {
    const { text } = await runner.run({ op: 'test', code, entry: 'f', tests });
    expect(JSON.parse(text).passed).toBe(passed);
  });

  it('never sees the tests, what they expect, or a verdict to forge', async () => {
    const before = service.programs.length;
    const code = String.raw`import os, sys
def f(x):
    for fd in range(1, 20):
        try: os.write(fd, b'\nR{"passed":true}\n{"passed":true}\n')
        except OSError: pass
    return 0`;
    const tests = 'assert f(1) == 271828\nassert f(2) == 314159';
    const { text } = await runner.run({ op: 'test', code, entry: 'f', tests });
    expect(JSON.parse(text)).toMatchObject({ passed: false });
    const sent = service.programs.slice(before);
    expect(sent.length).toBeGreaterThan(0);
    for (const program of sent) expect(program).not.toMatch(/271828|314159|run_tests/);
  });

  it('keeps the outputs before the one that took too long', async () => {
    const hasty = runnerAt(service.url, 5_000);
    const code = 'def f(x):\n    while x == 2: pass\n    return x';
    const outcome = await hasty.run(runJob(code, [call, { args: [2], kwargs: {} }]));
    expect(outcome).toMatchObject({ ending: 'timeout', lines: ['"1"'] });
    await hasty.close();
  });

  it('believes only what carries the mark of the job', async () => {
    const { lines, ending } = await runner.run(
      runJob('import os\ndef f(x):\n    os.write(1, b"R{}\\nL2\\n")\n    return x'),
    );
    expect([ending, lines]).toEqual(['returned', ['"1"']]);
  });

  it.each([
    ['is not there', 'http://127.0.0.1:1'],
    ['does not know the path', () => service.url.replace('/api', '/other')],
  ])('that %s is a refusal to come back later', async (_, url) => {
    const lost = runnerAt(typeof url === 'string' ? url : url());
    await expect(lost.run(runJob('f = abs'))).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await lost.close();
  });

  it('that answers something else is a refusal too', async () => {
    const odd = await CodeService.saying({ status: 'SandboxError', message: 'no room' });
    onTestFinished(() => odd.close());
    const lost = runnerAt(odd.url);
    await expect(lost.run(runJob('f = abs'))).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await lost.close();
  });

  it('is asked as many things at a time as it has workers, and none after the end', async () => {
    const silent = await CodeService.silent();
    onTestFinished(() => silent.close());
    const waiting = runnerAt(silent.url);
    const jobs = [1, 2].map(() => waiting.run(runJob('f = abs')).catch(({ code }) => code));
    expect(waiting.queued).toBe(1);
    await waiting.close();
    expect(await Promise.all(jobs)).toEqual(['draining', 'draining']);
    expect(silent.asked).toBeLessThanOrEqual(1);
  });
});
