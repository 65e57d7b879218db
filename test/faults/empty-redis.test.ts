import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/cli/compose.ts';
import { BuiltCommand } from '../support/built-command.ts';
import { composeFromFlags } from '../support/composed-server.ts';
import { RedisServer } from '../support/redis-server.ts';
import { sumMetric } from '../support/replica.ts';
import { drawSamples, type Sample } from '../support/trainer.ts';
import { AGENTS, expectPaidAsOffline, Fleet, K } from './fleet.ts';

const of = (agent: string, samples: readonly Sample[]) => samples.filter((sample) => sample.agent === agent);

describe('two replicas and a Redis without a disk', () => {
  let command: BuiltCommand;
  let redis: RedisServer;
  let fleet: Fleet;

  beforeAll(() => {
    command = new BuiltCommand();
  }, 120_000);
  afterAll(() => command.remove());
  afterEach(async () => {
    await fleet.stop();
    await redis.stop();
  });
  const start = async () => {
    redis = await RedisServer.start();
    fleet = await Fleet.start(2, { command: command.path, redis });
  };
  const expectNo404 = async () =>
    expect(await sumMetric(fleet.replicas, 'peervote_http_request_seconds_count', ['status="404"'])).toBe(0);
  const draw = (prompts: number, seed: number) =>
    drawSamples(AGENTS, prompts, { k: K, seed, prefix: `${seed}-` });
  const ask = (place: number, method: string, path: string, body?: object) =>
    fetch(fleet.urls()[place] + path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const restartEmpty = async (untilAway: boolean) => {
    await redis.kill();
    if (untilAway) await expect.poll(() => fleet.readiness(), { timeout: 5_000 }).toEqual([503, 503]);
    await redis.restart();
  };
  const lose = {
    'is restarted at once': () => restartEmpty(false),
    'is restarted after a while': () => restartEmpty(true),
    'is flushed': async () => {
      await redis.ask('FLUSHALL');
    },
  };

  it.each(Object.entries(lose))(
    'pay agents that send while it %s, and those that waited',
    async (_, loses) => {
      await start();
      const waiting = draw(24, 31);
      const both = draw(24, 32);
      const later = draw(12, 33);
      const first = fleet.trainAll(of('a', waiting));
      await fleet.untilHeld(24);
      const losing = loses();
      const meanwhile = fleet.trainAll(both.filter(({ promptId }) => promptId.endsWith('3')));
      await losing;
      const second = fleet.trainAll(of('b', waiting));
      const rest = fleet.trainAll(both.filter(({ promptId }) => !promptId.endsWith('3')));
      expectPaidAsOffline(waiting, [...(await first), ...(await second)]);
      await Promise.all([meanwhile, rest]);
      await loses();
      expectPaidAsOffline(later, await fleet.trainAll(later));
      await expectNo404();
      await expect.poll(() => fleet.readiness(), { timeout: 10_000 }).toEqual([200, 200]);
    },
    120_000,
  );

  it.each(Object.entries(lose))(
    'put back all cohorts that it %s without while nobody asks, also those made while they ran',
    async (_, loses) => {
      await start();
      expect((await ask(0, 'PUT', '/v1/cohorts/extra', { agents: ['x', 'y'], k: 2 })).status).toBe(201);
      expect((await ask(0, 'PUT', '/v1/cohorts/gone', { agents: ['x', 'y'], k: 2 })).status).toBe(201);
      await expect.poll(async () => (await ask(1, 'GET', '/v1/cohorts/gone')).status).toBe(200);
      expect((await ask(1, 'DELETE', '/v1/cohorts/gone')).status).toBe(204);
      // Redis forgets the deletion with all else: each replica has to have learned of it before.
      await expect.poll(async () => (await ask(0, 'GET', '/v1/cohorts/gone')).status).toBe(404);
      await loses();
      await expect
        .poll(() => redis.ask('HKEYS peervote:{cohorts}'), { timeout: 10_000 })
        .toMatch(/default[\s\S]*extra|extra[\s\S]*default/);
      for (const place of [0, 1]) {
        await expect
          .poll(async () => (await ask(place, 'GET', '/v1/cohorts/extra')).status, { timeout: 10_000 })
          .toBe(200);
        expect((await ask(place, 'GET', '/v1/cohorts/gone')).status).toBe(404);
      }
      expect(await redis.ask('HKEYS peervote:{cohorts}')).not.toContain('gone');
    },
    120_000,
  );

  it('pay every batch though it is emptied between them again and again', async () => {
    await start();
    for (let batch = 0; batch < 12; batch++) {
      const samples = draw(6, 100 + batch);
      expectPaidAsOffline(samples, await fleet.trainAll(samples));
      await redis.ask('FLUSHALL');
    }
    await expectNo404();
  }, 120_000);
});

describe('a server that starts before its Redis', () => {
  let redis: RedisServer;
  let server: Server;

  afterEach(async () => {
    await server.close();
    await redis.stop();
  });

  it('tells nobody that a cohort of its configuration is unknown', async () => {
    redis = await RedisServer.start();
    await redis.kill();
    server = await composeFromFlags({ redis: redis.url });
    const seen = new Set<number>();
    const look = async () => {
      const { statusCode } = await server.app.inject('/v1/cohorts/default');
      seen.add(statusCode);
      seen.add((await server.app.inject('/readyz')).statusCode);
      return statusCode;
    };
    expect(await look()).toBe(503);
    await redis.restart();
    await expect.poll(look, { timeout: 15_000, interval: 20 }).toBe(200);
    expect(seen).toEqual(new Set([503, 200]));
  }, 60_000);
});
