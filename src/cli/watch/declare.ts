import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { watch } from './watch.ts';

interface Flags {
  readonly cohort?: string;
  readonly token?: string;
  readonly once?: boolean;
}

/** Adds `peervote watch [URL]`: the live page at a glance, in a terminal. */
export function declareWatch(program: Command): void {
  program
    .command('watch')
    .description('Show what is wrong, who waits for whom, and how a run goes; redrawn every second.')
    .argument('[url]', 'where a server listens', 'http://127.0.0.1:8080')
    .option('--cohort <name>', 'one cohort; without it the only one, or a list of all')
    .option(
      '--token <token>',
      'token of a reader, an admin, or an agent of the cohort; default: PEERVOTE_TOKEN',
    )
    .option('--once', 'print it once, for scripts: exits with 1 when the server does not answer')
    .action(async (url: string, { cohort, token, once = false }: Flags) => {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const { stdout, stderr, env } = process;
      process.exitCode = await watch(
        { url, cohort: cohort ?? null, token: token ?? env.PEERVOTE_TOKEN ?? null },
        {
          once,
          stopped: stop.signal,
          pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
          complain: (text) => stderr.write(text),
          output: {
            write: (text) => stdout.write(text),
            size: () => (stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : null),
            colors: stdout.isTTY && env.NO_COLOR === undefined,
          },
        },
      );
    });
}
