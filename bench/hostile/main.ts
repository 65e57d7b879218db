import { parseArgs } from 'node:util';
import { Random } from '../support/random.ts';
import { startServer } from '../support/server-process.ts';
import { readUsage, type ServerUsage } from '../support/server-usage.ts';
import { clearCohorts } from './clear-cohorts.ts';
import { Honest, K } from './honest.ts';
import { hostileRequest } from './hostile-requests.ts';
import { judge } from './judge-exchange.ts';
import { exchange } from './wire.ts';

/**
 * Sends a server whatever comes to mind over raw connections: bodies that are wrong in every place, HTTP that is none, clients that
 * leave. `npm run fuzz:http -- [--seconds 600] [--seed 1] [--redis URL]`. Exits with 1 on a status of 500 or more but for a 503 that
 * says why, an answer that is not what it says it is, one that does not come, one that takes long each time, memory that grows, an error in
 * the log, or an honest trainer beside it all that is not paid what it is due.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    redis: { type: 'string' },
  },
});
const AT_ONCE = 6;
/** Requests between two looks at the server; then the cohorts are as new. */
const ROUND = 400;
const HANGS_MS = 15_000;
const PATIENCE_MS = 30_000;
/** Of all memory, rubbish that no collection has found yet included, above what the server has after the first round. */
const MOST_GROWTH_BYTES = 768 * 1_048_576;
/** Looks whose least heap is compared: the least comes close to what is in use. */
const WINDOW = 12;
/** Of that. What is counted on /metrics by method, path and status grows for a while. */
const MOST_HEAP_GROWTH_BYTES = 64 * 1_048_576;

const server = await startServer([
  ...['--agents', 'a,b', '--cohort', 'honest', '--k', String(K)],
  ...['--openrlhf-hold-ms', '1000', '--slime-hold-ms', '1000', '--max-wait-ms', '10000'],
  ...['--code-timeout-ms', '500', '--code-workers', '1'],
  ...(values.redis === undefined ? [] : ['--redis', values.redis, '--redis-prefix', `fuzz-${process.pid}:`]),
]);
const port = Number(new URL(server.url).port);
const random = new Random(Number(values.seed));
const honest = new Honest('honest', 'fuzz');
const ways = new Map<string, number>();
const statuses = new Map<number, number>();
let requests = 0;
let slowest = 0;
const looks: ServerUsage[] = [];

const end = performance.now() + 1_000 * Number(values.seconds);
while (performance.now() < end) {
  await clearCohorts(server.url, (name) => name === 'honest');
  const seed = random.between(0, 0xffff_ffff);
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => attack(new Random(seed + lane))));
  const faults = await honest.step(random, [server.url, server.url], 8, PATIENCE_MS);
  if (faults.length > 0) fail('An honest trainer was not paid', faults.join('\n'));
  await look();
}
honest.close();
await clearCohorts(server.url, (name) => name === 'honest');
const last = await readUsage(server.url);
await server.stop();
const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
console.log(`${requests} requests from seed ${values.seed}, ${honest.steps} honest steps: no failure`);
console.log(
  `statuses ${counted.join(', ')}; slowest ${slowest.toFixed(0)} ms; CPU ${last.cpuSeconds.toFixed(0)} s`,
);
const memory = [looks[0], last].map((usage) => mebibytes(usage?.rssBytes));
console.log(`memory ${memory.join(' MiB after the first round, ')} MiB at the end`);
for (const [way, times] of [...ways].sort()) console.log(`  ${String(times).padStart(7)} ${way}`);

async function attack(own: Random): Promise<void> {
  for (let n = 0; n < ROUND / AT_ONCE; n += 1) {
    const request = hostileRequest(own, 'fuzz');
    const found = await exchange(port, request, HANGS_MS);
    requests += 1;
    const [way = ''] = request.what.split(':');
    ways.set(way, (ways.get(way) ?? 0) + 1);
    for (const { status } of found.replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const verdict = await judge(request, found, () => exchange(port, request, HANGS_MS));
    if (verdict !== null) {
      fail(`${verdict}, after ${request.what}`, Buffer.concat(request.parts).toString('latin1', 0, 3_000));
    }
    if (!request.goesAway) slowest = Math.max(slowest, found.ms);
  }
}

async function look(): Promise<void> {
  if (!server.isUp) fail('The server ended', '');
  if (server.errors.size > 0) fail('The log has errors', [...server.errors.keys()].join('\n'));
  looks.push(await readUsage(server.url));
  const grown = growth(looks.map(({ rssBytes }) => rssBytes));
  if (grown > MOST_GROWTH_BYTES) fail(`Memory grew by ${mebibytes(grown)} MiB`, '');
  const used = looks.map(({ heapBytes }) => heapBytes);
  const floors = [used.slice(0, WINDOW), used.slice(-WINDOW)].map((window) => Math.min(...window));
  if (looks.length >= 2 * WINDOW && growth(floors) > MOST_HEAP_GROWTH_BYTES) {
    fail(`The least heap grew from ${floors.map(mebibytes).join(' to ')} MiB`, '');
  }
}

function growth(values: readonly number[]): number {
  return (values.at(-1) ?? 0) - (values[0] ?? 0);
}

function fail(what: string, detail: string): never {
  console.error(`${what}\n${detail}\n(${requests} requests from seed ${values.seed})`);
  process.exit(1);
}

function mebibytes(bytes = 0): string {
  return (bytes / 1_048_576).toFixed(0);
}
