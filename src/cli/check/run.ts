import { readFileSync } from 'node:fs';
import type { FlagValues } from '../../config/flags.ts';
import { loadConfig } from '../../config/load.ts';
import { explainRedisUrl } from '../../config/redis-url.ts';
import type { Config } from '../../config/schema.ts';
import { parseTokens } from '../../config/tokens-schema.ts';
import type { Cohort } from '../../domain/cohort.ts';
import { parseRedisUrl } from '../../store/redis/target.ts';
import { composeServer, type Server } from '../compose.ts';
import { type Check, fail, ok, warn } from '../doctor/check.ts';
import { parseCohortView } from '../doctor/cohort-view.ts';
import { makeDryStep } from '../doctor/dry-step.ts';
import type { Link } from '../doctor/link.ts';
import { openCodeRunner } from '../open-code-runner.ts';
import { systemClock } from '../system-clock.ts';
import { checkCohortConfig, checkServerConfig, checkTokens } from './check-config.ts';

/** Every check of what `peervote serve` would run on with the same flags. Starts nothing that listens, and asks no other server. */
export async function checkConfiguration(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Check[]> {
  const loaded = loadConfig({ flags, env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) {
    return loaded.problems.map(({ source, path, message }) =>
      fail('configuration', [source, path, message].filter((part) => part !== '').join(': ')),
    );
  }
  const { config } = loaded;
  return [
    ok('configuration', 'It can be read, and serve would start with it.'),
    ...checkServerConfig(config),
    ...checkRedis(config),
    ...readTokens(config),
    ...(config.cohorts.length === 0
      ? [
          warn(
            'cohorts',
            'There is none: name --agents, add one to the file, or PUT it once the server runs.',
          ),
        ]
      : []),
    ...config.cohorts.flatMap((cohort) => checkCohortConfig(cohort, config.judge !== null)),
    ...(await checkSandbox(config)),
    ...(await tryOut(config)),
  ];
}

function checkRedis({ redis }: Config): Check[] {
  if (redis === null || parseRedisUrl(redis.url) !== null) return [];
  return [fail('store', `The Redis URL cannot be read: ${explainRedisUrl(redis.url)}.`)];
}

/** Tokens are checked by the loader where they are text, and read here where they are a file. */
function readTokens({ server: { tokens, tokensFile }, cohorts }: Config): Check[] {
  if (tokens === null && tokensFile === null) return [];
  let text: string;
  try {
    text = tokens ?? readFileSync(tokensFile ?? '', 'utf8');
  } catch (error) {
    return [
      fail(
        'tokens',
        `${tokensFile} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ];
  }
  const parsed = parseTokens(text);
  if (!parsed.ok) return [fail('tokens', parsed.problems.join(' '))];
  const agents = parsed.tokens.flatMap(({ grant }) =>
    grant.kind === 'agent' ? [`${grant.cohort}/${grant.agent}`] : [],
  );
  return checkTokens(cohorts, [...new Set(agents)]);
}

/** Runs a program where the answers of a cohort are programs. */
async function checkSandbox({ code, cohorts }: Config): Promise<Check[]> {
  if (!cohorts.some(({ answers }) => answers.mode === 'code')) return [];
  const runner = openCodeRunner(code, { onReplaced: () => {}, onOpened: () => {} });
  try {
    const { ending, text } = await runner.run({
      op: 'test',
      code: 'x = 2',
      entry: null,
      tests: 'assert x == 2',
    });
    return ending === 'returned'
      ? [ok('sandbox', 'It ran a program.')]
      : [fail('sandbox', `A program that only sets a variable ended as "${ending}" ${text}.`)];
  } catch (error) {
    return [
      fail(
        'sandbox',
        `There is none to run programs: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ];
  } finally {
    await runner.close();
  }
}

/** A dry step in each cohort, through a whole server of this process that listens nowhere and stores in its memory. */
async function tryOut(config: Config): Promise<Check[]> {
  if (config.cohorts.length === 0) return [];
  const server = await composeServer({
    config: {
      ...config,
      server: {
        ...config.server,
        logLevel: 'silent',
        tokens: null,
        tokensFile: null,
        metricsPort: null,
        // The scratch cohort is one more.
        maxCohorts: config.server.maxCohorts + 1,
      },
      redis: null,
      judge: null,
    },
    clock: systemClock,
  });
  try {
    const checks: Check[] = [];
    for (const cohort of config.cohorts) checks.push(await tryCohort(linkTo(server), cohort));
    return checks;
  } finally {
    await server.close();
  }
}

async function tryCohort(link: Link, { name }: Cohort): Promise<Check> {
  const reply = await link({ method: 'GET', path: `/v1/cohorts/${encodeURIComponent(name)}` });
  const view = parseCohortView(reply.body);
  const check =
    view === null
      ? fail('dry step', 'The cohort cannot be described.')
      : await makeDryStep(link, { cohort: view, scratch: 'doctor-scratch', token: null });
  return { ...check, name: `${name} ${check.name}` };
}

function linkTo({ app }: Server): Link {
  return async ({ method, path, body }) => {
    const reply = await app.inject({
      method,
      url: path,
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(reply.headers['content-type'] ?? '').includes('json');
    return { status: reply.statusCode, body: isJson ? reply.json<unknown>() : null };
  };
}
