import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { FlagValues } from '../config/flags.ts';
import { formatProblems } from '../config/layer.ts';
import { loadConfig } from '../config/load.ts';
import { explainRedisUrl } from '../config/redis-url.ts';
import type { Config } from '../config/schema.ts';
import { LISTEN_BACKLOG } from '../http/app.ts';
import { parseRedisUrl } from '../store/redis/target.ts';
import { closeOnSignals } from './close-on-signals.ts';
import { complain } from './complain.ts';
import { composeServer, type Server } from './compose.ts';
import { secretsOf } from './secrets.ts';
import { addServeFlags, type RawFlags, toFlagValues } from './serve-flags.ts';
import { systemClock } from './system-clock.ts';

const EXIT_FAILURE = 1;
const EXIT_CONFIG = 2;

/** Adds `peervote serve`, with the flags that the configuration declares. */
export function declareServe(program: Command): void {
  const command = program
    .command('serve')
    .description('Run the reward server, on the embedded store or on a Redis that several replicas share.')
    .addHelpText(
      'after',
      '\nExample:\n  peervote serve --agents qwen,llama --k 8\n  then POST rollouts to http://127.0.0.1:8080/v1/cohorts/default/agents/qwen/rollouts',
    );
  addServeFlags(command).action(async (flags: RawFlags) => serve(toFlagValues(flags)));
}

async function serve(flags: FlagValues): Promise<void> {
  const loaded = loadConfig({ flags, env: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) {
    complain(formatProblems(loaded.problems));
    process.exit(EXIT_CONFIG);
  }
  const { redis } = loaded.config;
  if (redis !== null && parseRedisUrl(redis.url) === null) {
    complain(`The Redis URL cannot be read: ${explainRedisUrl(redis.url)}.`);
    process.exit(EXIT_CONFIG);
  }
  const isOneOfSeveral = cluster.isWorker || process.env.NODE_APP_INSTANCE !== undefined;
  if (isOneOfSeveral && redis === null) {
    process.stderr.write(
      'The embedded store is the memory of one process, but a cluster manager started several. Run one process. To run several, give them a Redis with --redis.\n',
    );
    process.exit(EXIT_CONFIG);
  }
  await listen(loaded.config);
}

async function listen(config: Config): Promise<void> {
  const { host, port, drainTimeoutMs, metricsPort, openAccess, tokens, tokensFile } = config.server;
  const server = await compose(config);
  closeOnSignals(drainTimeoutMs, async ({ signal, err }) => {
    if (err) server.app.log.error({ err }, 'Stopping after an unexpected error.');
    else server.app.log.info({ signal }, 'Stopping: those who wait are told to ask again elsewhere.');
    await server.close();
  });
  const address = await openPort(server.app, host, port);
  server.app.log.info(
    {
      address,
      store: server.store.kind,
      cohorts: config.cohorts.map(
        ({ name, agents }) => `${name}: ${agents.map((agent) => agent.name).join(', ')}`,
      ),
    },
    `PeerVote listens at ${address}; its API is described at ${address}/docs.`,
  );
  if (metricsPort !== null) {
    const metrics = server.metricsApp && (await openPort(server.metricsApp, host, metricsPort));
    server.app.log.info({ metrics }, `Metrics are at ${metrics}/metrics.`);
  }
  if (openAccess) {
    server.app.log.warn(
      'Everybody who reaches this server may submit, read and change cohorts (open_access).',
    );
  } else if (tokens === null && tokensFile === null) {
    server.app.log.info('No tokens: whoever uses this machine may do everything.');
  }
  if (config.cohorts.length === 0) {
    server.app.log.warn(
      'There is no cohort yet: start with --agents or --config, or PUT /v1/cohorts/{cohort}.',
    );
  }
}

/** Ends the process with one sentence where the port cannot be had: that is for its user to mend. */
async function openPort(app: Server['app'], host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: LISTEN_BACKLOG });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'EADDRINUSE'
        ? 'something else listens there already: stop it, or choose another port'
        : code === 'EACCES'
          ? 'this user may not listen there: choose a port above 1023'
          : message;
    process.stderr.write(`The server cannot listen at ${host}, port ${port}: ${why}.\n`);
    process.exit(EXIT_FAILURE);
  }
}

/** What only shows on opening it, as a file of tokens that cannot be read, is the user's to mend as well. */
async function compose(config: Config): Promise<Server> {
  try {
    return await composeServer({ config, clock: systemClock });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`The server cannot start: ${reason}`, secretsOf(config));
    process.exit(EXIT_CONFIG);
  }
}
