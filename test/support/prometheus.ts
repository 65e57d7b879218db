import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFreePort } from './redis-server.ts';

/** A Prometheus of a test's own that scrapes these addresses every second. It ends with the test. */
export class Prometheus {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(targets: readonly string[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'peervote-prometheus-'));
    const port = await findFreePort();
    const config = join(folder, 'prometheus.yaml');
    // JSON is YAML.
    writeFileSync(
      config,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        scrape_configs: [{ job_name: 'peervote', static_configs: [{ targets }] }],
      }),
    );
    const child: ChildProcess = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    onTestFinished(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) {
        await new Promise((resolve) => child.once('close', resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    });
    return new Prometheus(`http://127.0.0.1:${port}`);
  }

  /** How many series an instant query gives that have a value; 0 while the server is not up. Throws on a query that is wrong. */
  async count(query: string): Promise<number> {
    return (await this.read(query)).length;
  }

  /** The series of an instant query that have a value. */
  async read(query: string): Promise<readonly { labels: Record<string, string>; value: number }[]> {
    const reply = await fetch(`${this.url}/api/v1/query?${new URLSearchParams({ query })}`).catch(() => null);
    if (reply === null || reply.status === 503) return [];
    const body = (await reply.json()) as {
      status: string;
      error?: string;
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    if (body.status !== 'success') throw new Error(`${query}: ${body.error}`);
    const all = body.data?.result ?? [];
    return all
      .map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
      .filter(({ value }) => !Number.isNaN(value));
  }
}
