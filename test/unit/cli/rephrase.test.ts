import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LineProgress } from '../../../src/cli/rephrase/progress.ts';
import { rephrase } from '../../../src/cli/rephrase/run.ts';
import { FakeEndpoint, says } from '../../support/fake-endpoint.ts';
import { faithfully, problemOf, problems, rewrites } from '../../support/rephrasing.ts';

async function open(rows: string) {
  const folder = mkdtempSync(join(tmpdir(), 'peervote-rephrase-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const endpoint = await FakeEndpoint.start();
  endpoint.otherwise(rewrites(faithfully));
  const input = join(folder, 'in.jsonl');
  const output = join(folder, 'out.jsonl');
  writeFileSync(input, rows);
  const run = async (flags: Readonly<Record<string, unknown>>) => {
    let out = '';
    let err = '';
    let now = 0;
    const complain = (text: string) => {
      err += text;
    };
    const code = await rephrase(
      [input, output],
      { url: endpoint.url, model: 'm', ...flags },
      {
        env: {},
        signal: new AbortController().signal,
        terminal: {
          print: (text) => {
            out += text;
          },
          complain,
          progress: new LineProgress(complain, () => {
            now += 90_000;
            return now;
          }),
        },
      },
    );
    return { code, out, err };
  };
  const rowsOf = (path: string) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    endpoint,
    run,
    output: () => rowsOf(output),
    failed: () => rowsOf(join(folder, 'out.failed.jsonl')),
  };
}

describe('peervote rephrase', () => {
  it('takes only rewrites with the same answer under --verify, by the grader, and tells the cost', async () => {
    const { endpoint, run, output, failed } = await open(problems(2));
    endpoint.otherwise((response, asked) => {
      if (problemOf(asked) !== null) return rewrites(faithfully)(response, asked);
      const isRewrite = asked.prompt.startsWith('In other words');
      const half = asked.prompt.includes('2 times') ? ['\\frac12', '0.5'] : ['\\frac13', '0.5'];
      return says(`So \\boxed{${half[Number(isRewrite)]}}.`)(response, asked);
    });
    const { code, out } = await run({ verify: true, priceIn: '10', priceOut: '100', attempts: '2' });
    expect(code).toBe(1);
    expect(output().map(({ rephrased }) => rephrased)).toEqual([true, false]);
    expect(failed()).toMatchObject([{ id: 'p1', reasons: [{ code: 'answer' }] }]);
    expect(out).toContain('1 of 2 rows rephrased; 8 requests, 120 tokens, cost 0.0048');
    expect(out).toContain('lists them: answer 1.');
  });

  it('says how far it is and how long it will take, in few lines', async () => {
    const { run } = await open(problems(60));
    const { code, err } = await run({ concurrency: '1' });
    const lines = err.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, 20]);
    expect(lines[0]).toBe('3 of 60 rows, 0 kept, 3 requests, 45 tokens, about 29 min left');
    expect(lines.at(-1)).toMatch(/^60 of 60 rows, .* about 0 s left$/);
  });

  it('warns where a row has no id', async () => {
    const { run } = await open('{"prompt": "What is 2 + 3?"}\n');
    expect((await run({})).out).toContain('1 row without an id');
  });

  it.each([
    [{ url: 'h:80' }, '--url is an http(s) URL'],
    [{ url: undefined }, '--url is missing'],
    [{ budget: 'money=3' }, '--budget is a list such as'],
    [{ budget: 'cost=3' }, 'a budget of cost needs --price-in and --price-out'],
    [{ concurrency: '0' }, '--concurrency is a whole number from 1 to 1000'],
    [{ temperature: 'x' }, '--temperature is from 0 to 2'],
    [{ extraBody: '[' }, '--extra-body is a JSON object'],
    [{ apiKeyEnv: 'NO_SUCH' }, '--api-key-env: the environment variable NO_SUCH is not set'],
    [{ field: 'nope' }, 'in.jsonl:1: field "nope" holds neither'],
  ])('says what is wrong with %j, and asks for nothing', async (flags, message) => {
    const { run, endpoint } = await open(problems(1));
    const { code, err } = await run(flags);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(endpoint.asked).toEqual([]);
  });
});
