import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisCluster } from '../support/redis-cluster.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { bodyOf, drawSamples } from '../support/trainer.ts';
import { AGENTS, expectPaidAsOffline, Fleet, K } from './fleet.ts';

/** Nobody looks again by himself while a test runs. */
const NEVER_MS = '60000';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('two replicas and a cluster of three Redis masters', () => {
  let command: BuiltCommand;
  let redis: RedisCluster;
  let fleet: Fleet;

  beforeAll(async () => {
    command = new BuiltCommand();
    redis = await RedisCluster.start();
    fleet = await Fleet.start(2, { command: command.path, redis });
  }, 120_000);
  afterAll(async () => {
    await fleet.stop();
    await redis.stop();
    command.remove();
  });
  const readiness = () => fleet.readiness();
  /** Keys of prompts on a node. */
  const promptsOf = async (node: RedisServer, prefix = 'peervote:') => {
    const reply = await node.ask(`KEYS ${prefix}*:p:*`);
    return [...reply.matchAll(/\r\n(\w+:\{[^\r]*)/g)].map(([, key]) => key ?? '');
  };
  /** Slots of a node in which prompts lie. */
  const slotsOf = async (node: RedisServer, prefix: string) => {
    const replies = (await promptsOf(node, prefix)).map((key) => node.ask(`CLUSTER KEYSLOT ${key}`));
    return new Set((await Promise.all(replies)).map((reply) => Number(reply.slice(1))));
  };

  it('pay a batch of 32 prompts that lie on all nodes', async () => {
    const samples = drawSamples(AGENTS, 32, { k: K, seed: 41, prefix: 'batch' });
    const groupsOf = (agent: string) =>
      samples
        .filter((sample) => sample.agent === agent)
        .flatMap((sample) => (bodyOf(sample) as { groups: object[] }).groups);
    const replies = await Promise.all(
      AGENTS.map(async (agent, at) => {
        const reply = await fetch(`${fleet.urls()[at]}/v1/cohorts/default/agents/${agent}/rollouts?wait=30`, {
          method: 'POST',
          headers: JSON_TYPE,
          body: JSON.stringify({ submission_id: `${agent}-batch`, groups: groupsOf(agent) }),
        });
        return (await reply.json()) as { groups: Parameters<typeof expectPaidAsOffline>[1] };
      }),
    );
    expectPaidAsOffline(
      samples,
      replies.flatMap(({ groups }) => groups),
    );
    const counts = await Promise.all(redis.nodes.map(async (node) => (await promptsOf(node)).length));
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(counts.reduce((sum, count) => sum + count)).toBe(32);
  });

  it('wake who waits on another replica by sharded messages, also after their slots moved', async () => {
    const sleepy = await Fleet.start(2, {
      command: command.path,
      redis,
      flags: ['--redis-prefix', 'sleepy:', '--redis-recheck-ms', NEVER_MS],
    });
    const wakeAll = async (prefix: string) => {
      const samples = drawSamples(AGENTS, 24, { k: K, seed: 42, prefix });
      const first = Promise.all(samples.slice(0, 24).map((sample) => sleepy.trainAt(0, sample)));
      await sleepy.untilHeld(24);
      const asked = performance.now();
      const second = Promise.all(samples.slice(24).map((sample) => sleepy.trainAt(1, sample)));
      expectPaidAsOffline(samples, [...(await first), ...(await second)]);
      // Who is not woken asks again after 20 s at the soonest.
      expect(performance.now() - asked).toBeLessThan(15_000);
    };
    await wakeAll('wake');
    const [from, to] = redis.nodes as [RedisServer, RedisServer];
    for (const slot of await slotsOf(from, 'sleepy:')) await redis.moveSlot(slot, from, to);
    await wakeAll('again');
    await sleepy.stop();
  }, 60_000);

  it('lose nothing while slots move from node to node under load', async () => {
    const held = drawSamples(AGENTS, 40, { k: K, seed: 43, prefix: 'moved' });
    const first = fleet.trainAll(held.slice(0, 40));
    await fleet.untilHeld(40);
    const [key = ''] = await promptsOf(redis.nodes[0] as RedisServer);
    const { node: from, slot } = await redis.ownerOf(key);
    const to = redis.nodes.find((node) => node !== from);
    if (to === undefined) throw new Error('unreachable');
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 44, prefix: 'meanwhile' });
    const during = fleet.trainAll(samples);
    const second = fleet.trainAll(held.slice(40));
    expect(await redis.moveSlot(slot, from, to)).toBeGreaterThan(1);
    expect((await redis.ownerOf(key)).node).toBe(to);
    expectPaidAsOffline(samples, await during);
    expectPaidAsOffline(held, [...(await first), ...(await second)]);
    await redis.moveSlot(slot, to, from);
    const after = drawSamples(AGENTS, 20, { k: K, seed: 45, prefix: 'back' });
    expectPaidAsOffline(after, await fleet.trainAll(after));
  }, 120_000);

  it('answer 503 while a node is gone, and go on with what was held when it is back', async () => {
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 46, prefix: 'gone' });
    const first = fleet.trainAll(samples.slice(0, 60));
    await fleet.untilHeld(60);
    const [victim] = redis.nodes;
    if (victim === undefined) throw new Error('unreachable');
    await victim.kill();
    await expect.poll(readiness, { timeout: 20_000 }).toEqual([503, 503]);
    const [sample] = drawSamples(['a'], 1, { k: K, seed: 1, prefix: 'down' });
    if (sample === undefined) throw new Error('unreachable');
    const refused = await fetch(`${fleet.urls()[0]}/v1/cohorts/default/agents/a/rollouts`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(bodyOf(sample)),
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    await victim.restart();
    await redis.untilWhole();
    await expect.poll(readiness, { timeout: 20_000 }).toEqual([200, 200]);
    const second = fleet.trainAll(samples.slice(60));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);
  }, 120_000);
});
