import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FusionRunner } from '../../../../src/external/sandbox/fusion-runner.ts';
import { CodeService } from '../../../support/code-service.ts';

const call = { args: [1], kwargs: {} };

let service: CodeService;
let runner: FusionRunner;
beforeAll(async () => {
  service = await CodeService.running();
  runner = runnerAt(service.url, 10_000);
});
afterAll(async () => {
  await runner.close();
  service.close();
});

function runnerAt(url: string, timeoutMs = 500): FusionRunner {
  return new FusionRunner({ url, connections: 1, timeoutMs, outputBytes: 4_096 });
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
