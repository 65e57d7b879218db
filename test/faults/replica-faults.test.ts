import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisServer } from '../support/redis-server.ts';
import { sumMetric } from '../support/replica.ts';
import { bodyOf, drawSamples, type Sample, train } from '../support/trainer.ts';
import { AGENTS, expectPaidAsOffline, Fleet, K } from './fleet.ts';

const of = (agent: string, samples: readonly Sample[]) => samples.filter((sample) => sample.agent === agent);

describe('replicas that come and go', () => {
  let command: BuiltCommand;
  let redis: RedisServer;
  let fleet: Fleet;

  beforeAll(() => {
    command = new BuiltCommand();
  }, 120_000);
  afterAll(() => command.remove());
  beforeEach(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    await fleet.stop();
    await redis.stop();
  });
  const start = async (count: number, options: { agents?: string[]; flags?: string[] } = {}) => {
    fleet = await Fleet.start(count, { command: command.path, redis, ...options });
  };

  it('pay every rollout when one of three dies while it holds a third of 200 calls', async () => {
    await start(3);
    const samples = drawSamples(AGENTS, 200, { k: K, seed: 1 });
    const first = fleet.trainAll(of('a', samples));
    await fleet.untilHeld(200);
    const [victim] = fleet.replicas;
    if (victim === undefined) throw new Error('unreachable');
    fleet.lose(victim);
    await victim.kill();
    const second = fleet.trainAll(of('b', samples));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);
  }, 120_000);

  it('pay three agents, and count each decision once over all replicas', async () => {
    const agents = ['a', 'b', 'c'];
    await start(3, { agents });
    const samples = drawSamples(agents, 40, { k: K, seed: 2 });
    expectPaidAsOffline(samples, await fleet.trainAll(samples), agents);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_settled_total')).toBe(120);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_decided_total', ['cause="k"'])).toBe(120);
    expect(await sumMetric(fleet.replicas, 'peervote_agreement_total')).toBeLessThanOrEqual(120);
  }, 120_000);

  it('answer again on another one after a rolling restart, and the same', async () => {
    await start(2);
    const samples = drawSamples(AGENTS, 60, { k: K, seed: 3 });
    const first = fleet.trainAll(of('a', samples));
    await fleet.untilHeld(60);
    for (const old of [...fleet.replicas]) {
      await fleet.add();
      fleet.lose(old);
      await old.terminate();
    }
    const second = fleet.trainAll(of('b', samples));
    const results = [...(await first), ...(await second)];
    expectPaidAsOffline(samples, results);
    expect(await fleet.trainAll(samples)).toEqual(results);
  }, 120_000);

  it('keep what a client sent that was gone before its answer', async () => {
    await start(2);
    const samples = drawSamples(AGENTS, 30, { k: K, seed: 4 });
    const gone = new AbortController();
    const sent = of('a', samples).map((sample, at) =>
      fetch(`${fleet.urls()[at % 2]}/v1/cohorts/default/agents/a/rollouts?wait=60`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(sample)),
        signal: gone.signal,
      }).catch((error: unknown) => error),
    );
    await fleet.untilHeld(30);
    gone.abort();
    for (const outcome of await Promise.all(sent)) expect(outcome).toBeInstanceOf(Error);
    const second = await fleet.trainAll(of('b', samples));
    expectPaidAsOffline(samples, [...(await fleet.trainAll(of('a', samples))), ...second]);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_settled_total')).toBe(60);
  }, 120_000);

  it('give the same to duplicates that race on two of them, and let each vote once', async () => {
    await start(2);
    const samples = drawSamples(AGENTS, 40, { k: K, seed: 5 });
    const twice = (sample: Sample) => Promise.all([train(fleet, sample, 0), train(fleet, sample, 1)]);
    const pairs = await Promise.all(samples.map(twice));
    expectPaidAsOffline(
      samples,
      pairs.map(([one]) => one),
    );
    for (const [one, other] of pairs) expect(other).toEqual(one);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_settled_total')).toBe(80);
  }, 120_000);

  it('go by the clock of Redis, though one of them is an hour ahead', async () => {
    await start(1, { flags: ['--deadline-ms', '4000'] });
    await fleet.add(3_600_000);
    const samples = drawSamples(AGENTS, 20, { k: K, seed: 6 });
    const first = fleet.trainAll(of('a', samples));
    await fleet.untilHeld(20);
    await sleep(1_500);
    expect(await sumMetric(fleet.replicas, 'peervote_groups_decided_total', ['cause="deadline"'])).toBe(0);
    const second = fleet.trainAll(of('b', samples));
    expectPaidAsOffline(samples, [...(await first), ...(await second)]);

    const alone = drawSamples(['a'], 20, { k: K, seed: 7, prefix: 'late' });
    const expired = await fleet.trainAll(alone);
    expect(new Set(expired.map(({ status }) => status))).toEqual(new Set(['expired']));
    expect(await sumMetric(fleet.replicas, 'peervote_groups_decided_total', ['cause="deadline"'])).toBe(20);
  }, 120_000);
});
