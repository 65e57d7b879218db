import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../../src/cli/compose.ts';
import { composeFromFlags, payBoth, readiness } from '../support/composed-server.ts';
import { RedisServer } from '../support/redis-server.ts';

describe('the metrics of Redis', () => {
  let redis: RedisServer;
  let server: Server;

  beforeEach(async () => {
    redis = await RedisServer.start();
    server = await composeFromFlags({ redis: redis.url });
  });
  afterEach(async () => {
    await server.close();
    await redis.stop();
  });
  /** Value of one sample; 0 where there is none yet. */
  const sample = async (name: string) => {
    const { statusCode, body } = await server.app.inject('/metrics');
    expect(statusCode).toBe(200);
    const line = body.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.split(' ').at(-1));
  };
  const answered = 'peervote_redis_round_trip_seconds_count{outcome="answered"}';
  const failed = 'peervote_redis_round_trip_seconds_count{outcome="failed"}';
  const called = (name: string) => `peervote_redis_calls_total{name="${name}"}`;

  it('count round trips and calls by name as requests cause them', async () => {
    const trips = await sample(answered);
    const swaps = await sample(called('promptsSwap'));
    const puts = await sample(called('submissionPut'));
    await payBoth(server, 'p');
    expect(await sample(called('promptsSwap'))).toBeGreaterThanOrEqual(swaps + 1);
    expect(await sample(called('submissionPut'))).toBe(puts + 2);
    expect(await sample(answered)).toBeGreaterThan(trips + 2);
    expect(await sample('peervote_redis_round_trip_seconds_sum{outcome="answered"}')).toBeGreaterThan(0);
    expect(await sample(failed)).toBe(0);
  });

  it('say whether Redis answers, and count what it does not', async () => {
    expect(await sample('peervote_redis_up')).toBe(1);
    await redis.kill();
    await expect.poll(() => sample('peervote_redis_up')).toBe(0);
    expect((await readiness(server)).status).toBe(503);
    expect(await sample(failed)).toBeGreaterThan(0);
    await redis.restart();
    await expect.poll(() => sample('peervote_redis_up'), { timeout: 5_000 }).toBe(1);
  });

  it('are not there without a Redis', async () => {
    const alone = await composeFromFlags({});
    expect((await alone.app.inject('/metrics')).body).not.toMatch(/^peervote_redis_up /m);
    await alone.close();
  });
});
