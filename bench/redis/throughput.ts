import { randomUUID } from 'node:crypto';
import type { RedisStore } from '../../src/store/redis/redis-store.ts';
import { buildCohort } from '../../test/support/builders.ts';
import { Random } from '../support/random.ts';
import { AGENTS, drawArrival, K, submitBatch } from './batches.ts';

/** Prompts of a batch, as a training step sends them. */
export const BATCH = 32;
const DRAWN = 64;

export interface Throughput {
  readonly promptsPerSecond: number;
  /** Of this process, so without Redis itself. */
  readonly cpuMicrosPerPrompt: number;
}

/** What one replica stores in batches, with so many batches on their way at a time. A prompt counts for each agent. */
export async function measureThroughput(
  store: RedisStore,
  inFlight: number,
  seconds: number,
): Promise<Throughput> {
  const cohort = buildCohort({ name: `t-${randomUUID()}`, k: K, limits: { openBuckets: 10_000_000 } });
  await store.putCohort(cohort);
  const random = new Random(1);
  // Drawn before, so that the time of the store alone is measured.
  const rollouts = AGENTS.map((agent) =>
    Array.from(
      { length: DRAWN },
      () => drawArrival(random, { agent, promptId: '', answerLength: 1 }).rollouts,
    ),
  );
  const cpu = process.cpuUsage();
  const started = performance.now();
  const endsAt = started + seconds * 1000;
  let prompts = 0;
  let next = 0;
  const work = async () => {
    while (performance.now() < endsAt) {
      const first = next;
      next += BATCH;
      for (const [place, agent] of AGENTS.entries()) {
        const arrivals = Array.from({ length: BATCH }, (_, at) => ({
          promptId: `prompt-${first + at}`,
          round: 0,
          truth: null,
          rollouts: rollouts[place]?.[(first + at) % DRAWN] ?? [],
        }));
        await submitBatch(store, cohort, agent, arrivals);
        prompts += BATCH;
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  const elapsed = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  await store.deleteCohort(cohort.name);
  return { promptsPerSecond: prompts / (elapsed / 1000), cpuMicrosPerPrompt: (user + system) / prompts };
}
