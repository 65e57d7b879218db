import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cohort } from '../../src/domain/cohort.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import {
  buildAnonymous,
  buildArrival,
  buildCohort,
  buildContext,
  buildRollout,
} from '../support/builders.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';

const AGENTS = ['a', 'b', 'c'];
const PROMPTS = ['p', 'q', 'r'];

interface World {
  readonly cohort: Cohort;
  readonly clock: FakeClock;
}

/** One thing to do to a store; what it gives is what an observer may see. */
interface Step {
  readonly name: string;
  readonly run: (store: Store, world: World) => Promise<unknown>;
}

const agent = fc.constantFrom(...AGENTS);
const promptId = fc.constantFrom(...PROMPTS);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const round = orNull(fc.integer({ min: 0, max: 2 }));
const step = orNull(fc.integer({ min: 1, max: 3 }));
const incarnation = orNull(fc.constantFrom('i-1', 'i-2'));
const holder = fc.constantFrom('h1', 'h2', 'h3');
const rollout = fc.oneof(
  fc
    .tuple(fc.constantFrom('r0', 'r1', 'r2'), fc.constantFrom('4', '5', null))
    .map(([id, answer]) => buildRollout(id, answer)),
  fc.constantFrom('x', 'y').map((text) => buildAnonymous(text)),
);
const arrival = fc
  .tuple(promptId, fc.array(rollout, { minLength: 1, maxLength: 3 }), round)
  .map(([prompt, rollouts, at]) => buildArrival(prompt, rollouts, { round: at }));

/** As the service does: who sends is registered first. */
const submit = fc
  .record({ agent, incarnation, step, holder, arrivals: fc.array(arrival, { minLength: 1, maxLength: 4 }) })
  .map(
    (sent): Step => ({
      name: `submit ${JSON.stringify(sent)}`,
      run: async (store, { cohort }) => {
        const { finished: _, ...context } = buildContext(cohort, sent.agent, {
          incarnation: sent.incarnation,
          step: sent.step,
          holder: sent.holder,
        });
        const registration = await store.register(cohort.name, sent.agent, sent.incarnation);
        const outcomes = await store.submit(cohort, context, sent.arrivals);
        return { registration, outcomes };
      },
    }),
  );
const release = fc.record({ agent, holder, promptId, round: fc.integer({ min: 0, max: 2 }) }).map(
  (gone): Step => ({
    name: `release ${JSON.stringify(gone)}`,
    run: (store, { cohort }) => store.release(cohort.name, gone.agent, gone.holder, [gone]),
  }),
);
const answer = fc.record({ agent, holder, promptId, round: fc.integer({ min: 0, max: 2 }) }).map(
  (told): Step => ({
    name: `answer ${JSON.stringify(told)}`,
    run: (store, { cohort }) => store.answer(cohort.name, told.agent, told.holder, [told]),
  }),
);
const skip = fc
  .record({ agent, skips: fc.array(fc.record({ promptId, round, step }), { minLength: 1, maxLength: 3 }) })
  .map(
    (told): Step => ({
      name: `skip ${JSON.stringify(told)}`,
      run: (store, { cohort }) => store.skip(cohort, told.agent, told.skips),
    }),
  );
const finish = agent.map(
  (name): Step => ({
    name: `finish ${name}`,
    run: async (store, { cohort }) => {
      const decisions = await store.finish(cohort, name);
      return decisions.map(({ bucket, decided }) => [bucket.promptId, bucket.round, decided]).sort();
    },
  }),
);
const wait = fc.constantFrom(1, 300, 1_000, 10_000, 60_000).map(
  (ms): Step => ({
    name: `wait ${ms}`,
    run: async (store, { cohort: { name } }) => {
      const due = (await store.closeDue()).filter(({ cohort }) => cohort === name);
      return due.map(({ bucket, decided }) => [bucket.promptId, bucket.round, decided]).sort();
    },
  }),
);
/** Room for none or for all: with room for some, it is the order of prompts in a call that tells which are refused. */
const replace = fc.constantFrom(0, 1_000).map(
  (openBuckets): Step => ({
    name: `limit ${openBuckets}`,
    run: (store, { cohort }) => store.putCohort({ ...cohort, limits: { ...cohort.limits, openBuckets } }),
  }),
);
const remember = fc.constantFrom('s-1', 's-2').map(
  (id): Step => ({
    name: `remember ${id}`,
    run: (store, { cohort }) =>
      store.putSubmission(cohort, id, { agent: 'a', incarnation: null, recordedAt: 5, groups: [] }),
  }),
);

async function observe(store: Store, { cohort }: World): Promise<unknown> {
  const open = await store.listOpenBuckets(cohort.name, 100);
  return {
    prompts: await Promise.all(PROMPTS.map((prompt) => store.readPrompt(cohort.name, prompt))),
    open: open.map((bucket) => `${bucket.promptId} ${bucket.round}`).sort(),
    count: await store.countOpenBuckets(cohort.name),
    activity: await store.readActivity(cohort),
    submissions: await Promise.all(['s-1', 's-2'].map((id) => store.getSubmission(cohort.name, 'a', id))),
    cohort: await store.getCohort(cohort.name),
  };
}

/** Settings that another replica replaced are known everywhere soon, not at once. */
async function catchUp(replica: Store, memory: Store, name: string): Promise<void> {
  const wanted = await memory.getCohort(name);
  await expect.poll(() => replica.getCohort(name), { interval: 5 }).toEqual(wanted);
}

describe('the embedded store and Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  it('show the same of every history of commands, whichever replica takes each of them', async () => {
    const clock = new FakeClock();
    const now = () => clock.now();
    const prefix = `agree-${randomUUID()}:`;
    const replicas = await Promise.all([1, 2].map(() => openRedisStore(server.url, { prefix, now })));
    const steps = fc.oneof(
      { weight: 8, arbitrary: submit },
      { weight: 2, arbitrary: release },
      { weight: 1, arbitrary: answer },
      { weight: 2, arbitrary: skip },
      { weight: 1, arbitrary: finish },
      { weight: 3, arbitrary: wait },
      { weight: 1, arbitrary: replace },
      { weight: 1, arbitrary: remember },
    );
    const settings = fc.record({
      mode: fc.constantFrom('sync' as const, 'last-label' as const),
      quorum: fc.constantFrom(null, 1),
      k: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(fc.tuple(steps, fc.nat(1)), { minLength: 1, maxLength: 25 }),
        async ({ mode, quorum, k }, history) => {
          const cohort = buildCohort({
            name: `c-${randomUUID()}`,
            agents: AGENTS,
            k,
            barrier: { mode, quorum, deadlineMs: 1_000, graceMs: 300 },
            retentionMs: 10_000,
            promptRetentionMs: 50_000,
          });
          const world = { cohort, clock };
          const memory = new MemoryStore(clock);
          await memory.putCohort(cohort);
          await replicas[0]?.putCohort(cohort);
          const done: string[] = [];
          for (const [{ name, run }, at] of history) {
            const redis = replicas[at];
            if (redis === undefined) throw new Error('unreachable');
            done.push(name);
            const time = /^wait (\d+)$/.exec(name)?.[1];
            clock.advance(Number(time ?? 0));
            const [wanted, got] = [await run(memory, world), await run(redis, world)];
            expect(got, done.join('\n')).toEqual(wanted);
            await Promise.all(replicas.map((replica) => catchUp(replica, memory, cohort.name)));
            expect(await observe(redis, world), done.join('\n')).toEqual(await observe(memory, world));
          }
          await replicas[0]?.deleteCohort(cohort.name);
        },
      ),
      { numRuns: 150, endOnFailure: false },
    );
    await Promise.all(replicas.map((store) => store.close()));
  }, 120_000);
});
