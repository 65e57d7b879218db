import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answers, hangs } from '../../../support/fake-endpoint.ts';
import { failsOn, linesOf, NO_LIMITS, openRephrasing, written } from '../../../support/rephrase-scene.ts';
import { faithfully, problems, rewrites } from '../../../support/rephrasing.ts';

describe('rephrasing that ends early', () => {
  it('stops when row after row fails, instead of going through them all', async () => {
    const { endpoint, run, output } = await openRephrasing(problems(100));
    endpoint.otherwise(answers(500, 'boom'));
    const outcome = written(await run());
    expect(outcome.stopped).toContain('the endpoint failed for 10 rows in a row');
    expect(endpoint.asked.length).toBeLessThan(13);
    expect(linesOf(output)).toHaveLength(100);
    expect([...outcome.counts.kept.keys()]).toEqual(['server_error', 'not_tried']);
  });

  it('stops at its budget, which counts what earlier runs spent', async () => {
    const { endpoint, run } = await openRephrasing(problems(5));
    const limits = { ...NO_LIMITS, requests: 2 };
    expect(written(await run({ limits }))).toMatchObject({
      stopped: 'the budget is spent',
      unfinished: 3,
      spent: { requests: 2 },
    });
    expect(written(await run({ limits })).spent.requests).toBe(2);
    expect(endpoint.asked).toHaveLength(2);
    const all = written(
      await run({ limits: { ...NO_LIMITS, cost: 1 }, prices: { input: 1_000, output: 2_000 } }),
    );
    expect(all).toMatchObject({
      unfinished: 0,
      spent: { requests: 5, promptTokens: 50, completionTokens: 25 },
    });
    expect(all.cost).toBeCloseTo(0.1);
  });

  it('goes on after an interruption, which writes no output', async () => {
    const { endpoint, run, stop, output, steps } = await openRephrasing(problems(4));
    endpoint.script(rewrites(faithfully), rewrites(faithfully));
    endpoint.otherwise(hangs);
    const outcome = run({ concurrency: 1 });
    await endpoint.untilAsked(3);
    stop.abort();
    expect(await outcome).toEqual({ kind: 'interrupted', rows: 4, done: 2 });
    expect(existsSync(output)).toBe(false);
    expect(steps).toEqual(['0/4', 'rephrased', 'rephrased', 'unfinished', 'end']);
  });

  it('cuts off a line that was being written when the process was killed, and does that row again', async () => {
    const { endpoint, run, journal, output } = await openRephrasing(problems(4));
    endpoint.otherwise(failsOn('5 times', answers(500, '')));
    await run({ concurrency: 1 });
    const sound = readFileSync(journal);
    for (const torn of ['{"kind":"rephrased","row":3,"att', '{"kind":"rephr\u0000\u0000\n']) {
      truncateSync(journal, sound.length);
      appendFileSync(journal, torn);
      const before = endpoint.asked.length;
      expect(written(await run())).toMatchObject({ unfinished: 1, counts: { rephrased: 3 } });
      expect(endpoint.asked).toHaveLength(before + 1);
    }
    endpoint.otherwise(rewrites(faithfully));
    expect(written(await run()).counts.rephrased).toBe(4);
    expect(linesOf(output).map(({ rephrased }) => rephrased)).toEqual([true, true, true, true]);
  });

  it('refuses to go on with what belongs to other rows or settings, or is damaged', async () => {
    const { endpoint, run, journal, input } = await openRephrasing(problems(4));
    endpoint.otherwise(failsOn('5 times', answers(500, '')));
    await run();
    const asked = endpoint.asked.length;
    const other = 'belongs to another input or to other settings';
    expect(await run({ settings: { model: 'n' } })).toMatchObject({
      problems: [expect.stringContaining(other)],
    });
    const damaged = readFileSync(journal, 'utf8').replace('"row":0', '"row":x');
    writeFileSync(journal, damaged);
    expect(await run()).toMatchObject({ problems: [expect.stringMatching(/line \d is damaged/)] });
    appendFileSync(input, problems(1));
    expect(await run()).toMatchObject({ problems: [expect.stringContaining(other)] });
    expect(endpoint.asked).toHaveLength(asked);
  });
});
