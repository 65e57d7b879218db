import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisServer, type RedisServerOptions } from '../support/redis-server.ts';
import { sumMetric } from '../support/replica.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { bodyOf, drawSamples, type Sample } from '../support/trainer.ts';
import { AGENTS, expectPaidAsOffline, Fleet, K } from './fleet.ts';

const of = (agent: string, samples: readonly Sample[]) => samples.filter((sample) => sample.agent === agent);

describe('two replicas and a Redis that fails', () => {
  let command: BuiltCommand;
  let redis: RedisServer;
  let proxy: TcpProxy;
  let fleet: Fleet;

  beforeAll(() => {
    command = new BuiltCommand();
  }, 120_000);
  afterAll(() => command.remove());
  afterEach(async () => {
    await fleet.stop();
    proxy.stop();
    await redis.stop();
  });
  const start = async (options: RedisServerOptions = {}) => {
    redis = await RedisServer.start(options);
    proxy = await TcpProxy.start(redis.port);
    fleet = await Fleet.start(2, { command: command.path, redis, redisUrl: proxy.url });
  };
  /** Holds the calls of `a`, lets `fail` happen to them, and sends those of `b`. */
  const holdThen = async (samples: readonly Sample[], fail: () => Promise<void>) => {
    const first = fleet.trainAll(of('a', samples));
    await fleet.untilHeld(of('a', samples).length);
    await fail();
    const second = fleet.trainAll(of('b', samples));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);
  };
  const readiness = () => fleet.readiness();

  it('pay every rollout after it was killed and restarted with its append-only file', async () => {
    await start({ appendOnly: true });
    await holdThen(drawSamples(AGENTS, 60, { k: K, seed: 11 }), async () => {
      await redis.kill();
      await expect.poll(readiness, { timeout: 5_000 }).toEqual([503, 503]);
      const asked = performance.now();
      const [sample] = drawSamples(['a'], 1, { k: K, seed: 1, prefix: 'down' });
      if (sample === undefined) throw new Error('unreachable');
      const refused = await fetch(`${fleet.urls()[0]}/v1/cohorts/default/agents/a/rollouts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(sample)),
      });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(performance.now() - asked).toBeLessThan(1_000);
      await redis.restart();
      await expect.poll(readiness, { timeout: 10_000 }).toEqual([200, 200]);
    });
  }, 120_000);

  it('refill it from those who wait after it was restarted empty', async () => {
    await start();
    await holdThen(drawSamples(AGENTS, 60, { k: K, seed: 12 }), async () => {
      await redis.kill();
      await redis.restart();
    });
    expect(await sumMetric(fleet.replicas, 'peervote_groups_settled_total')).toBe(120);
  }, 120_000);

  it('refill it after somebody deleted everything in it', async () => {
    await start();
    await holdThen(drawSamples(AGENTS, 40, { k: K, seed: 13 }), async () => {
      await redis.ask('FLUSHDB');
    });
  }, 120_000);

  it('go on when it stops answering for a while, and tell newcomers at once that it does', async () => {
    await start();
    await holdThen(drawSamples(AGENTS, 60, { k: K, seed: 14 }), async () => {
      redis.signal('SIGSTOP');
      await expect.poll(readiness, { timeout: 15_000 }).toEqual([503, 503]);
      const asked = performance.now();
      expect(await readiness()).toEqual([503, 503]);
      expect(performance.now() - asked).toBeLessThan(1_000);
      redis.signal('SIGCONT');
    });
  }, 120_000);

  it('lose no request when its scripts are flushed again and again', async () => {
    await start();
    const samples = drawSamples(AGENTS, 100, { k: K, seed: 15 });
    const results = fleet.trainAll(samples);
    let isDone = false;
    const flushing = (async () => {
      while (!isDone) {
        await redis.ask('SCRIPT FLUSH');
        await sleep(5);
      }
    })();
    const paid = await results;
    isDone = true;
    await flushing;
    expectPaidAsOffline(samples, paid);
    const failed = await sumMetric(fleet.replicas, 'peervote_http_request_seconds_count', ['status="5']);
    expect(failed).toBe(0);
  }, 120_000);

  it('wait for the timer at most when the connections that hear notices are cut', async () => {
    await start();
    await holdThen(drawSamples(AGENTS, 60, { k: K, seed: 16 }), async () => {
      for (let cut = 0; cut < 20; cut++) {
        await redis.ask('CLIENT KILL TYPE pubsub');
        await sleep(10);
      }
    });
  }, 120_000);

  it('wait for the timer at most when no notice arrives any more and nobody says so', async () => {
    await start();
    proxy.muteNotices = true;
    const samples = drawSamples(AGENTS, 40, { k: K, seed: 17 });
    const first = fleet.trainAll(of('a', samples));
    await fleet.untilHeld(40);
    const asked = performance.now();
    const second = fleet.trainAll(of('b', samples));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);
    // Rechecks come every 300 ms here, and machines that run tests are slow.
    expect(performance.now() - asked).toBeLessThan(5_000);
  }, 120_000);

  it('store once what they send again because the reply was lost', async () => {
    await start();
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 18 });
    await holdThen(samples, async () => {
      proxy.loseReplies = 10;
    });
    expect(proxy.loseReplies).toBe(0);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_settled_total')).toBe(120);
  }, 120_000);
});
