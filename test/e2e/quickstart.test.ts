import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../examples/quickstart/main.ts', import.meta.url));
/** A busy machine with two cores needs a few times the five seconds that it takes alone. */
const PATIENCE_MS = 90_000;

const started = new Set<ReturnType<typeof start>['child']>();
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

/** Starts the quickstart as `npm run quickstart` does, without a terminal. */
function start(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk;
    });
  }
  return { child, output, ended: once(child, 'close') };
}

/** Of seed 1. */
const CLOSING_TABLE = `
                                         ring (Co-RL)              self (TTRL)
                                first    last     all    first    last     all
  agreement       ada, bo        55 %   100 %    82 %     52 %    56 %    55 %
                  ada, cleo      45 %   100 %    82 %     44 %    41 %    41 %
                  bo, cleo       31 %   100 %    79 %     22 %    22 %    22 %
  label accuracy  ada            75 %    91 %    82 %     77 %    75 %    75 %
                  bo             72 %    91 %    85 %     70 %    72 %    72 %
                  cleo           52 %    91 %    79 %     47 %    47 %    47 %
  reward          ada            0.36    0.97    0.74     0.68    0.98    0.89
                  bo             0.42    0.97    0.74     0.62    0.98    0.88
                  cleo           0.30    0.96    0.72     0.60    0.97    0.87
  answers right   ada            58 %    88 %             59 %    73 %
                  bo             51 %    88 %             51 %    71 %
                  cleo           41 %    87 %             41 %    46 %
`;

describe('npm run quickstart', { timeout: PATIENCE_MS }, () => {
  it('ends by itself without a terminal, with the same table on every machine', async () => {
    const { output, ended } = start();
    expect(await ended, output.text).toEqual([0, null]);
    expect(output.text).toContain(CLOSING_TABLE);
    expect(output.text).toContain('144 submissions, all rewarded');
    expect(output.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/docs/);
  });

  it('holds every request for its rewards, and with --keep goes on serving until it is interrupted', async () => {
    const { child, output, ended } = start('--keep', '--seed', '2');
    await expect.poll(() => output.text, { timeout: PATIENCE_MS }).toMatch(/curl -s \S+\/buckets\/\S+/);
    const bucketUrl = /curl -s (\S+\/buckets\/\S+)/.exec(output.text)?.[1] ?? '';
    const response = await fetch(bucketUrl);
    expect(response.status).toBe(200);
    const { rounds } = (await response.json()) as { rounds: { groups: { state: string }[] }[] };
    expect(rounds.map(({ groups }) => groups.map(({ state }) => state))).toEqual(
      Array.from({ length: 12 }, () => ['complete', 'complete', 'complete']),
    );
    const { origin } = new URL(bucketUrl);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const waits = metrics
      .split('\n')
      .filter((line) => line.startsWith('peervote_barrier_wait_seconds_count'));
    expect(waits).toHaveLength(6);
    for (const wait of waits) expect(wait).toMatch(/outcome="decided"\} 24$/);
    child.kill('SIGINT');
    expect(await ended, output.text).toEqual([0, null]);
  });

  it('names an option that it does not know', async () => {
    const { output, ended } = start('--kep');
    expect(await ended).toEqual([2, null]);
    expect(output.text).toContain("'--kep'");
    expect(output.text).toContain('Usage: npm run quickstart');
  });
});
