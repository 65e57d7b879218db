import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { composeServer } from '../../src/cli/compose.ts';
import { systemClock } from '../../src/cli/system-clock.ts';
import { formatProblems } from '../../src/config/layer.ts';
import { loadConfig } from '../../src/config/load.ts';

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts what `peervote serve --config cohorts.yaml` starts, in this process. */
export async function startServer(port: number): Promise<RunningServer> {
  const config = fileURLToPath(new URL('./cohorts.yaml', import.meta.url));
  const loaded = loadConfig({
    flags: { config, port: String(port) },
    env: {},
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
  const server = await composeServer({ config: loaded.config, clock: systemClock });
  const url = await server.app.listen({ host: loaded.config.server.host, port });
  return { url, close: () => server.close() };
}

/** The wanted port, or 0 (any) when another program has it. */
export async function pickPort(wanted: number): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return 0;
  }
  probe.close();
  await once(probe, 'close');
  return wanted;
}
