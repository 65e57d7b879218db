import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Cohort } from '../../src/domain/cohort.ts';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildArrival, buildCohort, buildContext, buildRollout } from '../../test/support/builders.ts';
import { BuiltCommand } from '../../test/support/built-command.ts';
import { RedisServer } from '../../test/support/redis-server.ts';
import { openRedisStore } from '../../test/support/redis-store.ts';
import { Random } from '../support/random.ts';
import { percentile, tellTable } from './figures.ts';
import { measureRelease } from './release.ts';

const BATCH = 32;
const K = 8;
const AGENTS = ['a', 'b'];

/** Rollouts as they are stored: ids, indices, lengths and one of a few answers each. */
function drawRollouts(random: Random, agent: string, answerLength: number) {
  return Array.from({ length: K }, (_, index) => {
    const answer = String(Math.floor(random.next() * 4)).padEnd(answerLength, 'x');
    const digest = Math.floor(random.next() * 2 ** 52)
      .toString(36)
      .padStart(16, '0');
    return {
      ...buildRollout(`r${index}`, answer, { index, tokens: 300 }),
      digest: `${agent}${digest}`.slice(0, 16),
    };
  });
}

async function submitBatch(
  store: RedisStore,
  cohort: Cohort,
  agent: string,
  arrivals: readonly ReturnType<typeof buildArrival>[],
) {
  await store.register(cohort.name, agent, null);
  const { finished: _, ...context } = buildContext(cohort, agent, { holder: randomUUID() });
  await store.submit(cohort, context, arrivals);
}

/** Prompts per second that one replica stores in batches, with so many batches on their way at a time. */
async function measureThroughput(store: RedisStore, inFlight: number, seconds: number): Promise<number> {
  const cohort = buildCohort({ name: `t-${randomUUID()}`, k: K, limits: { openBuckets: 10_000_000 } });
  await store.putCohort(cohort);
  const random = new Random(1);
  const endsAt = performance.now() + seconds * 1000;
  let prompts = 0;
  let next = 0;
  const work = async () => {
    while (performance.now() < endsAt) {
      const first = next;
      next += BATCH;
      for (const agent of AGENTS) {
        const arrivals = Array.from({ length: BATCH }, (_, at) =>
          buildArrival(`prompt-${first + at}`, drawRollouts(random, agent, 1), { round: 0 }),
        );
        await submitBatch(store, cohort, agent, arrivals);
        prompts += BATCH;
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  const rate = prompts / ((performance.now() - started) / 1000);
  await store.deleteCohort(cohort.name);
  return rate;
}

/** Bytes that one more open bucket takes in Redis: the agent `a` has sent, `b` has not. */
async function measureMemory(
  server: RedisServer,
  store: RedisStore,
  answerLength: number,
  full: boolean,
): Promise<number> {
  const cohort = buildCohort({ name: `m-${randomUUID()}`, k: K, limits: { openBuckets: 10_000_000 } });
  await store.putCohort(cohort);
  const random = new Random(1);
  const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await server.ask('INFO memory'))?.[1]);
  const before = await usedBytes();
  const buckets = 20_000;
  for (let first = 0; first < buckets; first += 250) {
    const ids = Array.from({ length: 250 }, (_, at) => `prompt-${first + at}`);
    await submitBatch(
      store,
      cohort,
      'a',
      ids.map((id) => buildArrival(id, drawRollouts(random, 'a', answerLength), { round: 0 })),
    );
    if (!full) continue;
    const others = ids.map((id) =>
      buildArrival(id, drawRollouts(random, 'b', answerLength).slice(1), { round: 0 }),
    );
    await submitBatch(store, cohort, 'b', others);
  }
  const bytes = ((await usedBytes()) - before) / buckets;
  await store.deleteCohort(cohort.name);
  return bytes;
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
const server = await RedisServer.start();
const store = await openRedisStore(server.url);
const throughput = [];
for (const inFlight of [1, 4, 8]) {
  await measureThroughput(store, inFlight, Math.min(1, seconds));
  throughput.push([
    `prompts/s, batches of ${BATCH}, ${inFlight} at a time`,
    (await measureThroughput(store, inFlight, seconds)).toFixed(0),
  ]);
}
const memory = [];
for (const [name, length, full] of [
  ['one agent has sent, short answers', 1, false],
  ['one agent and 7 of 8 of the other, short answers', 1, true],
  ['one agent and 7 of 8 of the other, answers of 30 characters', 30, true],
] as const) {
  memory.push([
    `bytes per open bucket, ${name}`,
    (await measureMemory(server, store, length, full)).toFixed(0),
  ]);
}
await store.close();
const command = new BuiltCommand();
const release = await measureRelease(command.path, server, 400);
tellTable([
  ...throughput,
  ...memory,
  [
    `ms from the last peer's submission to the reply on another replica, p50 (${release.length})`,
    percentile(release, 0.5).toFixed(1),
  ],
  ['the same, p99', percentile(release, 0.99).toFixed(1)],
]);
command.remove();
await server.stop();
