import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Fleet } from '../replay/fleet.ts';
import { Random } from '../support/random.ts';
import { formatTable } from '../support/table.ts';
import { Gauges } from './gauges.ts';
import { Traffic } from './traffic.ts';

/**
 * Two replicas over a Redis of their own, for as long as a night in short: honest trainers in cohorts that come and go, hostile clients,
 * programs, a replica that is killed again and again and a Redis that is killed now and then.
 * `npm run bench:soak -- [--minutes 30] [--seed 1]`. Exits with 1 on a reward that was wrong or did not come, and where memory, handles,
 * descriptors, keys or metric series grow from the first third after the warm-up to the last. The figures are of the replica that nobody kills.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});
const DURATION_MS = 60_000 * Number(values.minutes);
const LOOK_MS = Math.min(5_000, DURATION_MS / 60);
const KILL_REPLICA_MS = DURATION_MS / 15;
const KILL_REDIS_MS = DURATION_MS / 6;
/** The replica that is killed; the other one is looked at. */
const VICTIM = 1;
const WATCHED = 0;

const random = new Random(Number(values.seed));
const fleet = await Fleet.start({
  replicas: 2,
  redis: null,
  flags: [
    ...['--openrlhf-hold-ms', '1000', '--slime-hold-ms', '1000', '--max-wait-ms', '10000'],
    ...['--code-timeout-ms', '500', '--code-workers', '1'],
  ],
});
const start = performance.now();
const isOver = () => performance.now() - start >= DURATION_MS;
const traffic = new Traffic({ fleet, random, isOver });
const gauges = new Gauges();

const outages = { replica: 0, redis: 0 };
await Promise.all([traffic.run(), look(), killReplica(), killRedis()]);
await fleet.stop();

const faults = [...traffic.faults, ...gauges.faults()];
console.log(formatTable(...gauges.table()));
const { steps, cohorts, requests, rollouts } = traffic.counted;
console.log(
  `${values.minutes} minutes, seed ${values.seed}: ${steps} honest steps of ${rollouts} rollouts in ${cohorts} cohorts, ${requests} hostile requests, ${outages.replica} kills of a replica, ${outages.redis} of Redis: ${faults.length} faults`,
);
for (const [warning, times] of [...fleet.warnings].sort(([, a], [, b]) => b - a).slice(0, 12)) {
  console.log(`  ${String(times).padStart(6)} × ${warning.slice(0, 160)}`);
}
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);

async function look(): Promise<void> {
  while (!isOver()) {
    await delay(LOOK_MS);
    const url = fleet.urls[WATCHED];
    // Redis may be away just now.
    const keys = await fleet.countKeys().catch(() => null);
    if (url !== undefined) await gauges.look(url, keys);
  }
}

async function killReplica(): Promise<void> {
  for (;;) {
    await delay(KILL_REPLICA_MS * (0.5 + random.next()));
    if (isOver()) return;
    await fleet.kill(VICTIM);
    await delay(2_000 * random.next());
    await fleet.restore(VICTIM);
    outages.replica += 1;
  }
}

async function killRedis(): Promise<void> {
  for (;;) {
    await delay(KILL_REDIS_MS * (0.5 + random.next()));
    if (isOver()) return;
    await fleet.killRedis();
    await delay(3_000 * random.next());
    await fleet.restoreRedis();
    outages.redis += 1;
  }
}
