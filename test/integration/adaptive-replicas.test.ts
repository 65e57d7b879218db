import { randomUUID } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_RELIABILITY_RULES, MOST_CHANGES, type PlanRecord } from '../../src/domain/plan.ts';
import { Inspector } from '../../src/service/inspect.ts';
import { buildAdaptive } from '../support/builders.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { decided, openService, type ServiceScene, wholeGroup } from '../support/service.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

const AGENTS = ['a', 'b', 'c'];

/** A replica on the Redis of this file. A slow one reads every plan one look too late. */
async function openReplica(prefix: string, slow: boolean, minPosterior: number): Promise<ServiceScene> {
  const store = await openRedisStore(server.url, { prefix });
  onTestFinished(() => store.close());
  if (slow) {
    const read = store.plans.read.bind(store.plans);
    let before: PlanRecord | null = null;
    store.plans.read = async (cohort) => {
      const late = before;
      before = await read(cohort);
      return late;
    };
  }
  return openService({
    agents: AGENTS,
    k: 1,
    supervision: buildAdaptive(),
    reliability: { ...DEFAULT_RELIABILITY_RULES, every: 3, window: 9, minPosterior },
    wrapStore: () => store,
  });
}

/** Everything that a replica says of every prompt: plan, teachers, label and rewards of each agent. */
async function judgedBy(scene: ServiceScene, prompts: readonly string[]) {
  const inspector = new Inspector(scene.store, scene.cohorts, scene.clock, scene.planner);
  const seen = [];
  for (const prompt of prompts) {
    for (const { bucket, explained } of await inspector.explain('test', prompt)) {
      const agents = explained.map(({ agent, judgement }) => ({
        agent,
        status: judgement?.status,
        label: judgement?.label?.answer,
        teachers: judgement?.teachers,
        rewards: bucket.groups.get(agent)?.rollouts.map((rollout) => judgement?.reward(rollout)),
      }));
      seen.push({ prompt, round: bucket.round, plan: bucket.plan, agents });
    }
  }
  return seen;
}

describe.each([{ minPosterior: 0 }, { minPosterior: 0.6 }])(
  'two replicas, $minPosterior',
  ({ minPosterior }) => {
    it.each([1, 2, 3])(
      'never disagree on teachers and rewards, though one reads plans late (seed %d)',
      async (seed) => {
        const random = xoroshiro128plus(seed);
        const below = (count: number) => uniformInt(random, 0, count - 1);
        const prefix = `test-${randomUUID()}:`;
        const replicas = [
          await openReplica(prefix, false, minPosterior),
          await openReplica(prefix, true, minPosterior),
        ];
        const pick = () => replicas[below(2)] ?? expect.unreachable();
        const prompts = Array.from({ length: 24 }, (_, at) => `p${at}`);
        const calls = prompts.flatMap((prompt, at) =>
          AGENTS.map((agent) => {
            const bad = at % 8 < 4 ? 'b' : 'c';
            return { agent, prompt, answer: agent === bad ? `no ${below(2)}` : 'yes' };
          }),
        );
        // Neighbours change places, so that buckets stay open over several plans.
        for (let at = calls.length - 1; at > 0; at--) {
          const other = Math.max(0, at - below(8));
          [calls[at], calls[other]] = [
            calls[other] ?? expect.unreachable(),
            calls[at] ?? expect.unreachable(),
          ];
        }
        const tickets = [];
        for (let at = 0; at < calls.length; at += 4) {
          const batch = calls.slice(at, at + 4).map(async ({ agent, prompt, answer }) => {
            const scene = pick();
            return {
              agent,
              prompt,
              answer,
              ticket: await scene.record(agent, [wholeGroup(prompt, [answer])]),
            };
          });
          tickets.push(...(await Promise.all(batch)));
        }
        const [one, other] = await Promise.all(replicas.map((scene) => judgedBy(scene, prompts)));
        expect(one).toEqual(other);
        const plans = new Set(one?.map(({ plan }) => plan?.version ?? 0));
        expect(plans.size).toBeGreaterThan(2);
        for (const { agent, prompt, ticket } of tickets) {
          const seen = await Promise.all(replicas.map((scene) => scene.now(ticket)));
          const groups = seen.map((result) => decided(result).groups[0]);
          expect(groups[0]).toEqual(groups[1]);
          const bucket = one?.find((each) => each.prompt === prompt);
          const judged = bucket?.agents.find((each) => each.agent === agent);
          const named = bucket?.plan?.teachers?.[agent] ?? ring(agent);
          expect([groups[0]?.status, groups[0]?.label]).toEqual([judged?.status, judged?.label ?? null]);
          expect(groups[0]?.teachers).toEqual([named]);
        }
        const stored = await replicas[0]?.store.plans.read('test');
        expect(stored?.version ?? 0).toBeGreaterThanOrEqual(Math.max(...plans));
        // Each change is told by one replica.
        const told = replicas.flatMap(({ telemetry }) => telemetry.changes);
        expect(told.length).toBeGreaterThan(0);
        expect(stored?.changes).toHaveLength(Math.min(MOST_CHANGES, told.length));
      },
    );
  },
);

/** Who teaches before there is a plan. */
function ring(agent: string): string {
  return AGENTS.at(AGENTS.indexOf(agent) - 1) ?? '';
}
