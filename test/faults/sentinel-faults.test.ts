import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeClient, createClient } from '../../src/store/redis/clients.ts';
import { parseRedisUrl } from '../../src/store/redis/target.ts';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisSentinels } from '../support/redis-sentinels.ts';
import { drawSamples } from '../support/trainer.ts';
import { AGENTS, expectPaidAsOffline, Fleet, K } from './fleet.ts';

describe('two replicas and a Redis that sentinels watch', () => {
  let command: BuiltCommand;
  let redis: RedisSentinels;
  let fleet: Fleet;

  beforeAll(async () => {
    command = new BuiltCommand();
    redis = await RedisSentinels.start();
    fleet = await Fleet.start(2, { command: command.path, redis });
  }, 120_000);
  afterAll(async () => {
    await fleet.stop();
    await redis.stop();
    command.remove();
  });
  const readiness = () => fleet.readiness();

  it('connect again when a failover is announced just while they connect', async () => {
    const target = parseRedisUrl(redis.url);
    if (target === null) throw new Error(`not a Redis URL: ${redis.url}`);
    const client = createClient(target, 'commands');
    client.on('error', () => undefined);
    // `once` of node:events would take the error that comes with it for the end of the test.
    const seen = (event: string) => new Promise((resolve) => client.once(event, resolve));
    try {
      // What ioredis does then, which ended the client for good.
      Reflect.get(client, 'connector').disconnect();
      await seen('end');
      await seen('ready');
      expect(await client.ping()).toBe('PONG');
    } finally {
      const ended = seen('end');
      closeClient(client);
      await ended;
    }
    expect(client.status).toBe('end');
  });

  it('follow a failover while calls are held, and the old master that comes back as a replica', async () => {
    const { master: old } = await redis.roles();
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 31, prefix: 'killed' });
    const first = fleet.trainAll(samples.slice(0, 60));
    await fleet.untilHeld(60);
    const failover = redis.loseMaster();
    await expect.poll(readiness, { timeout: 10_000 }).toEqual([503, 503]);
    await failover;
    await expect.poll(readiness, { timeout: 20_000 }).toEqual([200, 200]);
    const second = fleet.trainAll(samples.slice(60));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);

    await old.restart();
    await expect.poll(() => old.ask('ROLE'), { timeout: 30_000 }).toContain('slave');
    const more = drawSamples(AGENTS, 20, { k: K, seed: 32, prefix: 'returned' });
    expectPaidAsOffline(more, await fleet.trainAll(more));
    expect(await old.ask('SET x 1')).toMatch(/^-READONLY/);
  }, 120_000);

  it('lose nothing that was stored before a failover that an operator asks for', async () => {
    const { master: old, replica: heir } = await redis.roles();
    // The old master goes on until it is told. What it takes in that time would be lost: so it shall take nothing alone.
    for (const server of redis.servers) await server.ask('CONFIG SET min-replicas-to-write 1');
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 33, prefix: 'asked' });
    const first = fleet.trainAll(samples.slice(0, 60));
    await fleet.untilHeld(60);
    await redis.failOver();
    await redis.untilMaster(heir);
    const second = fleet.trainAll(samples.slice(60));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);
    expect(await old.ask('ROLE')).toContain('slave');
    await expect.poll(readiness, { timeout: 10_000 }).toEqual([200, 200]);
  }, 120_000);
});
