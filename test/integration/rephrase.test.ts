import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { FakeEndpoint, hangs } from '../support/fake-endpoint.ts';
import { faithfully, problemOf, problems, rewrites } from '../support/rephrasing.ts';

const command = new BuiltCommand();
afterAll(() => command.remove());

async function open(rows: string) {
  const folder = mkdtempSync(join(tmpdir(), 'peervote-rephrase-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const endpoint = await FakeEndpoint.start();
  const input = join(folder, 'in.jsonl');
  const output = join(folder, 'out.jsonl');
  writeFileSync(input, rows);
  const start = (...flags: string[]) => {
    const common = ['--url', endpoint.url, '--model', 'm', '--api-key-env', 'KEY', '--concurrency', '3'];
    const child = spawn(process.execPath, [command.path, 'rephrase', input, output, ...common, ...flags], {
      env: { ...process.env, KEY: 'sk-test' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  return { endpoint, input, output, start };
}

async function end(child: ChildProcess) {
  const [out, err, [code, signal]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, code, signal };
}

/** Answers so many requests, and then none. */
function answersOnly(endpoint: FakeEndpoint, count: number): void {
  endpoint.script(...Array.from({ length: count }, () => rewrites(faithfully)));
  endpoint.otherwise(hangs);
}

const rowsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('peervote rephrase', () => {
  it('goes on where it was killed or interrupted, and asks for no finished row again', async () => {
    const { endpoint, input, output, start } = await open(problems(12));
    answersOnly(endpoint, 7);
    const killed = start();
    // Each of the three asks for its next row when its last one is on the disk.
    await endpoint.untilAsked(7 + 3);
    killed.kill('SIGKILL');
    expect((await end(killed)).signal).toBe('SIGKILL');
    expect(existsSync(output)).toBe(false);

    answersOnly(endpoint, 2);
    const interrupted = start();
    await endpoint.untilAsked(10 + 2 + 3);
    interrupted.kill('SIGINT');
    const left = await end(interrupted);
    expect(left.code).toBe(130);
    expect(left.err).toContain('7 of 12 rows were done before');
    expect(left.err).toContain('Interrupted with 9 of 12 rows done.');
    expect(existsSync(output)).toBe(false);

    endpoint.otherwise(rewrites(faithfully));
    const { code, out } = await end(start('--price-in', '10', '--price-out', '100'));
    expect([code, out]).toEqual([0, expect.stringContaining('12 of 12 rows rephrased')]);
    expect(rowsOf(output)).toEqual(
      rowsOf(input).map((row) => ({ ...row, question: faithfully(row.question), rephrased: true })),
    );
    expect(existsSync(`${output}.journal`)).toBe(false);
    const asked = endpoint.asked.map(problemOf);
    const finishedAt = [asked.slice(0, 7), asked.slice(10, 12)];
    expect(asked.slice(10).filter((problem) => finishedAt[0]?.includes(problem))).toEqual([]);
    expect(asked.slice(15).filter((problem) => finishedAt[1]?.includes(problem))).toEqual([]);
    expect(asked).toHaveLength(15 + 3);
    expect(endpoint.asked[0]?.headers.authorization).toBe('Bearer sk-test');
  });
});
