import { send } from '../support/http.ts';
import { startServer } from '../support/server-process.ts';
import { recompute } from './expected.ts';
import { Ledger } from './ledger.ts';
import { type ReplayOptions, readOptions, USAGE } from './options.ts';
import { Replay } from './replay.ts';
import { tellAgents, tellPairs, tellTraffic } from './report.ts';
import { type RolloutsFile, readRollouts } from './rollouts.ts';
import { compareCounters } from './server-counters.ts';

const EXIT_FAULTS = 1;
const EXIT_USAGE = 2;

/** Short, so that a run sees 503 and the retry after it. */
const HOLD_MS = 2000;

async function main(): Promise<void> {
  let options: ReplayOptions;
  let file: RolloutsFile;
  try {
    options = readOptions(process.argv.slice(2));
    file = readRollouts(options.file);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  const { url } = options;
  if (url !== null) return replay(options, file, url);
  const redisFlags =
    options.redis === null ? [] : ['--redis', options.redis, '--redis-prefix', `replay-${process.pid}:`];
  const server = await startServer([
    '--openrlhf-hold-ms',
    String(HOLD_MS),
    ...redisFlags,
    ...cohortFlags(options, file),
  ]);
  try {
    await replay(options, file, server.url);
  } finally {
    await server.stop();
    for (const [warning, times] of server.warnings) say(`The server warned ${times} times: ${warning}`);
  }
}

async function replay(options: ReplayOptions, file: RolloutsFile, url: string): Promise<void> {
  const { mode, ring, protocol } = options;
  const cohort = cohortName(options);
  const path = `${url}/v1/cohorts/${cohort}`;
  // Where the server was started with it, this changes nothing.
  await call('PUT', path, { agents: file.agents, k: file.k, ring, answers: { mode } });
  say(
    `Replaying ${file.rollouts.length} rollouts of ${file.agents.join(', ')} (K=${file.k}) against ${url} ` +
      `with protocol ${protocol}, mode ${mode}, ring ${ring}, seed ${options.seed}.`,
  );
  const recomputed = recompute(file, { mode, ring, tie: protocol === 'native' ? 'index' : 'hash' });
  const ledger = new Ledger(recomputed.expected, mode);
  const run = new Replay({ options, file, url, cohort, ledger, say });
  const started = performance.now();
  await run.run();
  const wallMs = performance.now() - started;
  const report = { file, recomputed, ledger, ring, mode };
  if (ledger.missing.length > 0) say(await call('GET', path));
  else if (countsOnce(options)) {
    const metrics = await call('GET', `${url}/metrics`);
    for (const fault of compareCounters(metrics, cohort, report)) ledger.fault(fault);
  }
  say(`\n${tellPairs(report)}\n\n${tellAgents(report)}\n\n${tellTraffic(run.counters, ledger, wallMs)}\n`);
  await call('DELETE', path);
  for (const fault of ledger.faults) say(`FAULT: ${fault}`);
  const [missing] = ledger.missing;
  if (missing !== undefined)
    say(`FAULT: ${ledger.missing.length} rollouts have no reward, such as ${missing}`);
  const right = ledger.faultCount === 0 && missing === undefined;
  say(right ? 'Every rollout got its reward, and every reward is right.' : 'The replay found faults.');
  if (!right) process.exitCode = EXIT_FAULTS;
}

/**
 * Whether the server's counters must equal the recomputed ones. A new incarnation may decide a group anew that
 * was counted already.
 */
function countsOnce({ protocol, restarts }: ReplayOptions): boolean {
  return protocol === 'openrlhf' || !restarts.includes('new');
}

function cohortName({ seed }: ReplayOptions): string {
  return `replay-${seed}-${process.pid}`;
}

function cohortFlags(options: ReplayOptions, { agents, k }: RolloutsFile): string[] {
  const { mode, ring } = options;
  const flags = { cohort: cohortName(options), agents: agents.join(), k, ring, mode };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
}

async function call(method: 'GET' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<string> {
  const reply = await send({
    method,
    url,
    agent: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (reply.status >= 300) throw new Error(`${method} ${url} was answered ${reply.status}: ${reply.text}`);
  return reply.text;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
