import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildCohort } from '../../test/support/builders.ts';
import { BuiltCommand } from '../../test/support/built-command.ts';
import { RedisServer } from '../../test/support/redis-server.ts';
import { openRedisStore } from '../../test/support/redis-store.ts';
import { compileServer } from '../load/compile-server.ts';
import { Random } from '../support/random.ts';
import { drawArrival, K, submitBatch } from './batches.ts';
import { percentile, tellTable } from './figures.ts';
import { measureRelease } from './release.ts';
import { BATCH, measureThroughput } from './throughput.ts';
import { measureWaiting } from './waiting.ts';

interface Fill {
  readonly what: string;
  readonly answerLength: number;
  /** The other agent lacks one rollout; else it has sent nothing. */
  readonly full: boolean;
}

/** Bytes that one more open bucket takes in Redis: the agent `a` has sent all. */
async function measureMemory(
  server: RedisServer,
  store: RedisStore,
  { answerLength, full }: Fill,
): Promise<number> {
  const cohort = buildCohort({ name: `m-${randomUUID()}`, k: K, limits: { openBuckets: 10_000_000 } });
  await store.putCohort(cohort);
  const random = new Random(1);
  const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await server.ask('INFO memory'))?.[1]);
  const before = await usedBytes();
  const buckets = 20_000;
  for (let first = 0; first < buckets; first += 250) {
    const ids = Array.from({ length: 250 }, (_, at) => `prompt-${first + at}`);
    const draw = (agent: string, rollouts: number) =>
      ids.map((promptId) => drawArrival(random, { agent, promptId, answerLength, rollouts }));
    await submitBatch(store, cohort, 'a', draw('a', K));
    if (full) await submitBatch(store, cohort, 'b', draw('b', K - 1));
  }
  const bytes = ((await usedBytes()) - before) / buckets;
  await store.deleteCohort(cohort.name);
  return bytes;
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    waiters: { type: 'string', default: '10000' },
  },
});
const [seconds, waiters] = [Number(values.seconds), Number(values.waiters)];
const server = await RedisServer.start();
const store = await openRedisStore(server.url);
const throughput = [];
for (const inFlight of [1, 4, 8]) {
  await measureThroughput(store, inFlight, Math.min(1, seconds));
  const { promptsPerSecond, cpuMicrosPerPrompt } = await measureThroughput(store, inFlight, seconds);
  const what = `batches of ${BATCH}, ${inFlight} at a time`;
  throughput.push([`prompts/s, ${what}`, promptsPerSecond.toFixed(0)]);
  throughput.push([`CPU of the replica per prompt, us, ${what}`, cpuMicrosPerPrompt.toFixed(0)]);
}
const memory = [];
for (const fill of [
  { what: 'one agent has sent, short answers', answerLength: 1, full: false },
  { what: 'one agent and 7 of 8 of the other, short answers', answerLength: 1, full: true },
  { what: 'one agent and 7 of 8 of the other, answers of 30 characters', answerLength: 30, full: true },
] satisfies Fill[]) {
  const bytes = await measureMemory(server, store, fill);
  memory.push([`bytes per open bucket, ${fill.what}`, bytes.toFixed(0)]);
}
await store.close();
const command = new BuiltCommand();
const release = await measureRelease(command.path, server, 400);
command.remove();
await server.stop();
const program = compileServer();
const alone = await measureWaiting(program, { waiters, seconds: 10, shared: false });
const shared = await measureWaiting(program, { waiters, seconds: 10, shared: true });
const share = (part: number) => `${(part * 100).toFixed(1)} %`;
const heldWith = `${waiters} requests held`;
tellTable([
  ...throughput,
  ...memory,
  [
    `ms from the last peer's submission to the reply on another replica, p50 (${release.length})`,
    percentile(release, 0.5).toFixed(1),
  ],
  ['the same, p99', percentile(release, 0.99).toFixed(1)],
  [`share of a core with ${heldWith}, embedded store`, share(alone.cpuShare)],
  [`share of a core with ${heldWith}, Redis, looking again every 1.5 s`, share(shared.cpuShare)],
  ['share of a core that Redis takes for it', share(shared.redisCpuShare ?? 0)],
  ['heap per held request and its bucket, bytes, embedded store', alone.heapPerWaiter.toFixed(0)],
  ['heap per held request, bytes, Redis', shared.heapPerWaiter.toFixed(0)],
  ['the same, Redis to embedded', (shared.heapPerWaiter / alone.heapPerWaiter).toFixed(2)],
]);
