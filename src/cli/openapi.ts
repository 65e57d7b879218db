import { loadConfig } from '../config/load.ts';
import { renderOpenApi } from '../http/openapi.ts';
import { composeServer } from './compose.ts';
import { systemClock } from './system-clock.ts';

/** Prints the description of the API that openapi/openapi.yaml holds. */
export async function printOpenApi(): Promise<void> {
  const loaded = loadConfig({ flags: { logLevel: 'silent' }, env: {}, readFile: () => '' });
  if (!loaded.ok) throw new Error('The default configuration is not valid.');
  const server = await composeServer({ config: loaded.config, clock: systemClock });
  await server.app.ready();
  process.stdout.write(renderOpenApi(server.app));
  await server.close();
}
