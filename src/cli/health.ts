import type { Command } from 'commander';

/** A health check that takes longer has failed: container engines wait for about that long. */
const TIMEOUT_MS = 4_000;

/** Adds `peervote health [URL]`: exits with 0 when a server answers there, as container health checks ask. */
export function declareHealth(program: Command): void {
  program
    .command('health')
    .description('Ask a server whether it is alive (or, with --ready, whether it takes submissions).')
    .argument('[url]', 'where it listens', 'http://127.0.0.1:8080')
    .option('--ready', 'ask /readyz instead of /healthz')
    .action(async (url: string, { ready }: { ready?: true }) => {
      process.exitCode = await checkHealth(url, ready ? 'readyz' : 'healthz');
    });
}

async function checkHealth(url: string, path: string): Promise<number> {
  try {
    const target = new URL(path, url.endsWith('/') ? url : `${url}/`);
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    process.stdout.write(`${(await response.text()).trim()}\n`);
    return response.ok ? 0 : 1;
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    process.stderr.write(`${url} does not answer: ${reason}\n`);
    return 1;
  }
}
