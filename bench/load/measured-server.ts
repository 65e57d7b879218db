import { composeServer } from '../../src/cli/compose.ts';
import { systemClock } from '../../src/cli/system-clock.ts';
import { loadConfig } from '../../src/config/load.ts';

/** The program of a server process that tells what it uses when asked. Started by the bench alone. */

export interface Usage {
  /** Live objects after a full collection, else with what nobody needs any more, in bytes. */
  readonly heap: number;
  /** Memory that the process holds, in bytes. */
  readonly rss: number;
  /** CPU time so far, in seconds. */
  readonly cpu: number;
}

/** The only message: asks for the usage, after a full collection or as it is. */
export interface ToServer {
  readonly collect: boolean;
}

export type FromServer =
  | { readonly kind: 'listening'; readonly url: string }
  | ({ readonly kind: 'usage' } & Usage);

const loaded = loadConfig({
  flags: { port: '0', logLevel: 'warn', openrlhfHoldMs: process.argv[2], redis: process.argv[3] },
  env: {},
  readFile: () => '',
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const server = await composeServer({ config: loaded.config, clock: systemClock });

process.on('message', ({ collect }: ToServer) => {
  const { user, system } = process.cpuUsage();
  // Twice: what the first one finalises is freed by the second.
  for (let i = 0; collect && i < 2; i++) globalThis.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  tell({ kind: 'usage', heap, rss, cpu: (user + system) / 1e6 });
});
process.once('disconnect', () => process.exit(1));

const url = await server.app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
tell({ kind: 'listening', url });

function tell(message: FromServer): void {
  process.send?.(message);
}
