import { send } from '../support/http.ts';
import { recompute } from './expected.ts';
import { Ledger } from './ledger.ts';
import { type ReplayOptions, readOptions, USAGE } from './options.ts';
import { Outages } from './outages.ts';
import { Replay } from './replay.ts';
import { tellAgents, tellPairs, tellTraffic } from './report.ts';
import { type RolloutsFile, readRollouts } from './rollouts.ts';
import { compareCounters } from './server-counters.ts';
import { openTarget, type Target } from './target.ts';

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
  const { urls, redis, replicas } = options;
  const flags = ['--openrlhf-hold-ms', String(HOLD_MS), ...cohortFlags(options, file)];
  const target = await openTarget({ urls, redis, replicas, flags });
  try {
    await replay(options, file, target);
  } finally {
    await target.stop();
    for (const [warning, times] of target.warnings) say(`The server warned ${times} times: ${warning}`);
  }
}

async function replay(options: ReplayOptions, file: RolloutsFile, target: Target): Promise<void> {
  const { mode, ring, protocol } = options;
  const { url, fleet } = target;
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
  const { kills, restartRedis: redis, seed } = options;
  const outages = fleet === null ? null : new Outages({ fleet, kills, redis, seed, say });
  const onProgress = (share: number) => outages?.progressed(share);
  const run = new Replay({ options, file, url, cohort, ledger, say, onProgress });
  const started = performance.now();
  await run.run();
  await outages?.over();
  if (outages !== null && outages.left > 0) say(`The run was over before ${outages.left} of its outages.`);
  const wallMs = performance.now() - started;
  const report = { file, recomputed, ledger, ring, mode };
  if (ledger.missing.length > 0) say(await call('GET', path));
  else if (countsOnce(options)) {
    const isWhole = fleet?.hasLost !== true;
    const expositions = await Promise.all(target.urls().map((each) => call('GET', `${each}/metrics`)));
    for (const fault of compareCounters({ expositions, isWhole }, cohort, report)) ledger.fault(fault);
    if (!isWhole)
      say('Counts of processes that were killed are gone: the rest was held to be no more than is right.');
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
