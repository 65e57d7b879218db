import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompareSolutions } from '../../../../src/external/rephrase/rephrase-row.ts';
import { answers, type Behaviour, cuts, hangs, says } from '../../../support/fake-endpoint.ts';
import { failsOn, linesOf, openRephrasing, written } from '../../../support/rephrase-scene.ts';
import { faithfully, problemOf, problems, rewrites } from '../../../support/rephrasing.ts';
import { until } from '../../../support/service.ts';

describe('rephrasing a data set', () => {
  it('gives one row for each, in order, with all else as it was', async () => {
    const { endpoint, run, input, output, failed, folder } = await openRephrasing(problems(4));
    const held: (() => void)[] = [];
    endpoint.otherwise((response, asked) => held.push(() => rewrites(faithfully)(response, asked)));
    const outcome = run({ concurrency: 4 });
    await until(() => held.length === 4);
    for (const answer of held.reverse()) answer();
    expect(written(await outcome)).toMatchObject({ unfinished: 0, stopped: null, counts: { rephrased: 4 } });
    const expected = linesOf(input).map((row) => ({
      ...row,
      question: faithfully(row.question),
      rephrased: true,
    }));
    expect(linesOf(output)).toEqual(expected);
    expect(existsSync(failed)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['in.jsonl', 'out.jsonl']);
  });

  it('tells the model what its rewrite changed, and takes the one that passes', async () => {
    const { endpoint, run, output } = await openRephrasing(problems(1));
    endpoint.script(
      rewrites(() => 'What is 3 times 7?'),
      says('I would rather not.'),
    );
    expect(written(await run()).counts.rephrased).toBe(1);
    expect(endpoint.asked.map(({ body }) => body.messages.length)).toEqual([2, 4, 4]);
    expect(endpoint.asked[1]?.prompt).toContain('missing: 2; not in the original: 3');
    expect(endpoint.asked[2]?.prompt).toContain('between <rewritten> and </rewritten>');
    expect(linesOf(output)[0].question).toBe(faithfully('What is 2 times 7?'));
  });

  it('lists a row that no rewrite passed for, and leaves its text with a mark that says so', async () => {
    const { endpoint, run, output, failed, input, journal } = await openRephrasing(problems(3));
    endpoint.otherwise(
      failsOn(
        '3 times',
        rewrites(() => 'What is 4 times 7?'),
      ),
    );
    expect(written(await run())).toMatchObject({ unfinished: 0, counts: { rephrased: 2 } });
    expect(linesOf(output)[1]).toEqual({ ...linesOf(input)[1], rephrased: false });
    expect(linesOf(failed)).toEqual([
      {
        line: 2,
        id: 'p1',
        final: true,
        attempts: 3,
        reasons: [{ code: 'numbers', message: expect.stringContaining('missing: 3') }],
      },
    ]);
    expect(existsSync(journal)).toBe(false);
  });

  it.each([
    ['an error', answers(500, 'boom'), 'server_error'],
    ['garbage', answers(200, 'garbage'), 'bad_reply'],
    ['half an answer', cuts, 'network'],
    ['a refusal', answers(401, 'no'), 'rejected'],
  ])(
    'lists a row whose answer is %s, and asks for that row alone the next time',
    async (_, behaviour, code) => {
      const { endpoint, run, output, failed } = await openRephrasing();
      endpoint.otherwise(failsOn('4 times', behaviour));
      const first = written(await run());
      expect(first).toMatchObject({ unfinished: 1, counts: { rephrased: 4, kept: new Map([[code, 1]]) } });
      expect(linesOf(output).map(({ rephrased }) => rephrased)).toEqual([true, true, false, true, true]);
      expect(linesOf(failed)).toMatchObject([{ line: 3, final: false, reasons: [{ code }] }]);
      const asked = endpoint.asked.length;
      endpoint.otherwise(rewrites(faithfully));
      expect(written(await run())).toMatchObject({ unfinished: 0, counts: { rephrased: 5 } });
      expect(endpoint.asked).toHaveLength(asked + 1);
      expect(existsSync(failed)).toBe(false);
    },
  );

  it('lists a row whose answer never comes', async () => {
    const { endpoint, run, clock, failed } = await openRephrasing(problems(1));
    endpoint.otherwise(hangs);
    const outcome = run();
    await until(() => endpoint.asked.length === 1 && clock.pending === 1);
    clock.advance(1_000);
    expect(written(await outcome).unfinished).toBe(1);
    expect(linesOf(failed)).toMatchObject([{ reasons: [{ code: 'timeout' }] }]);
  });

  it('asks for nothing when a row cannot be read, or an output is there', async () => {
    const bad = await openRephrasing('{"question": "2?"}\n\n{"question": 3}\nx\n');
    expect(await bad.run()).toEqual({
      kind: 'refused',
      problems: [
        expect.stringContaining('in.jsonl:3: field "question" holds neither'),
        expect.stringContaining('in.jsonl:4: this line is not JSON'),
      ],
    });
    expect(bad.endpoint.asked).toEqual([]);
    const there = await openRephrasing();
    writeFileSync(there.output, 'precious');
    expect(await there.run()).toMatchObject({
      kind: 'refused',
      problems: [expect.stringContaining('--force')],
    });
    expect(readFileSync(there.output, 'utf8')).toBe('precious');
    expect(written(await there.run({ force: true })).counts.rephrased).toBe(5);
  });

  it('writes nothing where the input changed meanwhile', async () => {
    const { endpoint, run, input, output, folder } = await openRephrasing(problems(2));
    endpoint.otherwise((response, asked) => {
      writeFileSync(input, problems(2).replace('p1', 'p9'));
      rewrites(faithfully)(response, asked);
    });
    await expect(run()).rejects.toThrow('in.jsonl has changed during the run');
    expect(existsSync(output)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a rewrite that is verified', () => {
  const compare: CompareSolutions = (a, b) =>
    a === '' || b === '' ? 'unsolved' : a === b ? 'same' : 'different';
  const solves =
    (how: (problem: string) => string): Behaviour =>
    (response, asked) =>
      problemOf(asked) === null
        ? says(how(asked.prompt))(response, asked)
        : rewrites(faithfully)(response, asked);

  it('passes where both have the same answer', async () => {
    const { endpoint, run } = await openRephrasing(problems(1));
    endpoint.otherwise(solves(() => '14'));
    expect(written(await run({}, compare)).counts.rephrased).toBe(1);
    expect(endpoint.asked).toHaveLength(3);
    expect(endpoint.asked[1]?.prompt).toMatch(/^What is 2 times 7\?\n\nReason/);
    expect(endpoint.asked[2]?.prompt).toMatch(/^In other words: What is 2 times 7\?\n\nReason/);
  });

  it('is tried again where they differ, solves the original once, and is listed in the end', async () => {
    const { endpoint, run, failed } = await openRephrasing(problems(1));
    endpoint.otherwise(solves((prompt) => (prompt.startsWith('In other') ? '15' : '14')));
    expect(written(await run({}, compare)).counts.rephrased).toBe(0);
    expect(endpoint.asked).toHaveLength(3 + 1 + 3);
    expect(linesOf(failed)).toMatchObject([{ final: true, reasons: [{ code: 'answer' }] }]);
  });

  it('is listed where a solution has no answer', async () => {
    const { endpoint, run, failed } = await openRephrasing(problems(1));
    endpoint.otherwise(solves(() => ''));
    await run({}, compare);
    expect(linesOf(failed)).toMatchObject([{ reasons: [{ message: expect.stringContaining('no answer') }] }]);
  });
});
