import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Cohort } from '../../src/domain/cohort.ts';
import { DEFAULT_REWARD_RULES } from '../../src/domain/reward-rules.ts';
import { Inspector } from '../../src/service/inspect.ts';
import type { SubmissionResult } from '../../src/service/submission.ts';
import { buildCohort, type CohortOverrides } from '../support/builders.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { decided, openService, rewardsOf, type ServiceScene, wholeGroup } from '../support/service.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

const BEFORE: CohortOverrides = { agents: ['a', 'b', 'c'], k: 4 };

/** The same cohort on one replica, or on two of them that share a Redis. */
const STORES: readonly (readonly [string, () => Promise<readonly [ServiceScene, ServiceScene]>])[] = [
  [
    'memory',
    async () => {
      const scene = await openService(BEFORE);
      return [scene, scene];
    },
  ],
  [
    'two replicas on Redis',
    async () => {
      const prefix = `test-${randomUUID()}:`;
      const open = async () => {
        const store = await openRedisStore(server.url, { prefix });
        onTestFinished(() => store.close());
        return openService({ ...BEFORE, wrapStore: () => store });
      };
      return [await open(), await open()];
    },
  ],
];

/** Settings that would pay other rewards for {@link ANSWERS}, or wait for somebody else. */
const CHANGES: readonly (readonly [string, CohortOverrides])[] = [
  ['the tie rule', { vote: { tie: 'discard' } }],
  ['the threshold', { vote: { threshold: 0.9 } }],
  ['the direction of the ring', { supervision: { kind: 'ring', direction: 'successor' } }],
  ['the supervision', { supervision: { kind: 'peer-majority' } }],
  ['the method', { method: 'ttrl' }],
  ['the rewards', { reward: { ...DEFAULT_REWARD_RULES, scale: 7 } }],
  ['the pool', { supervision: { kind: 'pooled' }, includeOwn: true }],
  ['the reward of the unlabeled', { unlabeledReward: null, vote: { minVotes: 4, threshold: 1 } }],
  ['the weighting', { supervision: { kind: 'peer-majority' }, weighting: 'harmonic' }],
  ['the barrier', { barrier: { mode: 'last-label', maxStaleness: 3 } }],
  ['K', { k: 6 }],
  ['an agent more', { agents: ['a', 'b', 'c', 'z'] }],
  ['an agent more in the middle', { agents: ['a', 'z', 'b', 'c'] }],
  ['an agent that only votes', { agents: ['a', 'b', { name: 'c', role: 'teacher' }] }],
];

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  a: ['1', '1', '2', '2'],
  b: ['2', '1', '2', '3'],
  c: ['3', '3', '1', '2'],
};

/** What one agent is told of its groups, but for how long it waited. */
function told(result: SubmissionResult) {
  return decided(result).groups.map(({ counts: _, ...group }) => group);
}

async function explained(scene: ServiceScene) {
  const inspector = new Inspector(scene.store, scene.cohorts, scene.clock, scene.planner);
  return (await inspector.explain('test', 'p')).map(({ bucket, explained: agents }) => ({
    round: bucket.round,
    agents: agents
      .filter(({ agent }) => agent in ANSWERS)
      .map(({ agent, vote, judgement }) => ({
        agent,
        vote,
        label: judgement?.label,
        rewards: bucket.groups.get(agent)?.rollouts.map((rollout) => judgement?.reward(rollout)),
      })),
  }));
}

const send = (scene: ServiceScene, agent: string, promptId = 'p') =>
  scene.submit(agent, [wholeGroup(promptId, ANSWERS[agent] ?? [])], { submissionId: `${agent}-${promptId}` });

async function recall(scene: ServiceScene, agent: string) {
  return told(await scene.now(await scene.rewards.recall('test', agent, `${agent}-p`)));
}

async function payAll(scene: ServiceScene) {
  for (const agent of Object.keys(ANSWERS)) await send(scene, agent);
  const paid = [];
  for (const agent of Object.keys(ANSWERS)) paid.push([agent, await recall(scene, agent)] as const);
  return paid;
}

describe.each(STORES)('settings that change, %s', (_name, openBoth) => {
  it.each(CHANGES)('change nothing of what was paid: %s', async (_what, change) => {
    const [first, second] = await openBoth();
    const paid = await payAll(first);
    const seen = await explained(first);
    const next: Cohort = buildCohort({ ...BEFORE, ...change });
    expect(await first.cohorts.put(next)).toBe('replaced');
    for (const scene of [second, first]) {
      for (const [agent, groups] of paid) {
        expect(await recall(scene, agent)).toEqual(groups);
        expect(told(await send(scene, agent))).toEqual(groups);
      }
      expect(await explained(scene)).toEqual(seen);
    }
  });

  it('hold for what begins after they were taken, on every replica', async () => {
    const [first, second] = await openBoth();
    const agents = ['a', 'b', 'c'];
    const pay = async (scene: ServiceScene, promptId: string) => {
      const tickets = [];
      for (const agent of agents) {
        tickets.push(await scene.record(agent, [wholeGroup(promptId, ANSWERS[agent] ?? [])]));
      }
      return Promise.all(tickets.map(async (ticket) => rewardsOf(await scene.now(ticket))));
    };
    const [before] = await pay(first, 'p');
    await first.cohorts.put(buildCohort({ ...BEFORE, reward: { ...DEFAULT_REWARD_RULES, scale: 3 } }));
    const [after] = await pay(second, 'q');
    expect(after).toEqual(before?.map((reward) => 3 * (reward ?? 0)));
    await second.cohorts.put(buildCohort(BEFORE));
    expect(await pay(first, 'r')).toEqual(await pay(second, 's'));
    expect((await pay(first, 't'))[0]).toEqual(before);
    expect((await first.rewards.recall('test', 'a', 'none').catch((error) => error)).code).toBe(
      'unknown_submission',
    );
  });

  it('let an agent that came later be paid in a bucket from before, by the settings of now', async () => {
    const [first, second] = await openBoth();
    await payAll(first);
    const agents = ['a', 'b', 'c', 'z'];
    await first.cohorts.put(buildCohort({ ...BEFORE, agents }));
    // z comes after c in the ring, whose label is 3.
    const late = await second.submit('z', [wholeGroup('p', ['3', '1', '3', '2'])]);
    expect(rewardsOf(late)).toEqual([1, 0, 1, 0]);
  });
});
