import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import type { Replica } from '../support/replica.ts';
import { drawSamples, payOffline, type Sample } from '../support/trainer.ts';
import { AGENTS, Fleet, K } from './fleet.ts';

const PROMPT = 'Question: what is it?\n';
const PATIENCE_MS = 60_000;

function requestOf(promptId: string, answer: string | null) {
  const labels = [JSON.stringify({ pid: promptId })];
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: [`${PROMPT}${answer ?? ''}`], prompts: [PROMPT], labels }),
  };
}

/** One rollout as OpenRLHF posts it: no id, no index; after a failure the same bytes again a second later. */
async function postRollout(
  fleet: Fleet,
  agent: string,
  promptId: string,
  answer: string | null,
  first: number,
) {
  const request = requestOf(promptId, answer);
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let attempt = first; performance.now() < giveUpAt; attempt++) {
    const urls = fleet.urls();
    const reply = await fetch(`${urls[attempt % urls.length]}/openrlhf/default/${agent}`, request).catch(
      () => null,
    );
    const text = reply === null ? null : await reply.text().catch(() => null);
    if (reply?.status === 200 && text !== null) return Number(JSON.parse(text).rewards[0]);
    await sleep(1_000);
  }
  throw new Error(`${agent} waited ${PATIENCE_MS} ms for ${promptId}`);
}

/** Rewards of a sample's rollouts, each posted by itself. */
function postSample(fleet: Fleet, { agent, promptId, answers }: Sample, first: number): Promise<number[]> {
  return Promise.all(answers.map((answer, at) => postRollout(fleet, agent, promptId, answer, first + at)));
}

/** One visit of both agents to these prompts. Without an index a tie goes to the smallest hash of an answer: there is none. */
function drawVisit(prompts: number, seed: number): Sample[] {
  return drawSamples(AGENTS, prompts, { k: K, seed }).map((sample) => {
    const most = sample.answers[0] ?? '9';
    return { ...sample, answers: [most, most, '7', '8'] };
  });
}

/** A reply goes out before it is noted: resolves once that is done for all of a visit. */
async function untilAnswered(redis: RedisServer, samples: readonly Sample[]): Promise<void> {
  const store = await openRedisStore(redis.url, { prefix: 'peervote:' });
  const prompts = [...new Set(samples.map(({ promptId }) => promptId))];
  const readHolders = async () => {
    const buckets = (await Promise.all(prompts.map((id) => store.readPrompt('default', id)))).flat();
    const groups = buckets.flatMap((bucket) => [...bucket.groups.values()]);
    return new Set(groups.flatMap(({ rollouts }) => rollouts.map(({ holder }) => holder)));
  };
  await expect.poll(readHolders, { timeout: 10_000 }).toEqual(new Set(['=']));
  await store.close();
}

function ofAgent(samples: readonly Sample[], name: string): Sample[] {
  return samples.filter(({ agent }) => agent === name);
}

function postAll(fleet: Fleet, samples: readonly Sample[]): Promise<number[][]> {
  return Promise.all(samples.map((sample, at) => postSample(fleet, sample, at)));
}

function expectPaid(samples: readonly Sample[], rewards: readonly (readonly number[])[]): void {
  const paid = payOffline(samples, AGENTS);
  samples.forEach(({ agent, promptId }, at) => {
    const wanted = paid.get(`${agent}/${promptId}`)?.rewards;
    expect({ agent, promptId, rewards: rewards[at] }).toEqual({ agent, promptId, rewards: wanted });
  });
}

describe('rollouts without any id', () => {
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

  async function open(replicas: number): Promise<void> {
    fleet = await Fleet.start(replicas, { command: command.path, redis });
  }

  async function lose(end: (victim: Replica) => Promise<void>): Promise<void> {
    const [victim] = fleet.replicas;
    if (victim === undefined) throw new Error('unreachable');
    fleet.lose(victim);
    await end(victim);
  }

  it('vote once each, though the replica that held a third of them was killed', async () => {
    await open(3);
    const visit = drawVisit(40, 21);
    const first = postAll(fleet, ofAgent(visit, 'a'));
    await fleet.untilHeld(40 * K);
    await lose((victim) => victim.kill());
    await sleep(2_500);
    const second = postAll(fleet, ofAgent(visit, 'b'));
    expectPaid(visit, [...(await first), ...(await second)]);
    const page = await (await fetch(`${fleet.urls()[0]}/v1/cohorts/default/buckets/p0`)).json();
    expect(JSON.stringify(page)).not.toContain('"late":true');
  }, 120_000);

  it('vote once each, though their retries go to a replica that started when theirs was killed', async () => {
    await open(1);
    const visit = drawVisit(10, 22);
    const first = postAll(fleet, ofAgent(visit, 'a'));
    await fleet.untilHeld(10 * K);
    await lose((victim) => victim.kill());
    await fleet.add();
    await fleet.untilHeld(10 * K);
    const second = postAll(fleet, ofAgent(visit, 'b'));
    expectPaid(visit, [...(await first), ...(await second)]);
  }, 120_000);

  it('vote once each, though their retries are there before a busy replica has noticed that they are broken', async () => {
    await open(2);
    const visit = drawVisit(5, 25);
    const texts = ofAgent(visit, 'a').flatMap(({ promptId, answers }) =>
      answers.map((answer) => ({ promptId, answer })),
    );
    const [busy] = fleet.replicas;
    if (busy === undefined) throw new Error('unreachable');
    const broken = new AbortController();
    const originals = texts.map(({ promptId, answer }) =>
      fetch(`${busy.url}/openrlhf/default/a`, {
        ...requestOf(promptId, answer),
        signal: broken.signal,
      }).catch(() => null),
    );
    await fleet.untilHeld(texts.length);
    busy.signal('SIGSTOP');
    broken.abort();
    await Promise.all(originals);
    fleet.lose(busy);
    const first = postAll(fleet, ofAgent(visit, 'a'));
    // Until they have arrived.
    await sleep(1_500);
    busy.signal('SIGCONT');
    await fleet.untilHeld(texts.length);
    const second = postAll(fleet, ofAgent(visit, 'b'));
    expectPaid(visit, [...(await first), ...(await second)]);
    await busy.kill();
  }, 120_000);

  it.each([
    ['stopped', (victim: Replica) => victim.terminate()],
    ['killed', (victim: Replica) => victim.kill()],
  ])(
    'are new at the next visit, though the replica that answered the same texts was %s',
    async (_how, end) => {
      await open(2);
      const visit = drawVisit(10, 23);
      expectPaid(visit, await postAll(fleet, visit));
      await untilAnswered(redis, visit);
      await lose(end);
      // The texts of a are those of its first visit; what they are worth is not, for b has other answers.
      const next = [...ofAgent(visit, 'a'), ...ofAgent(drawVisit(10, 24), 'b')];
      expectPaid(next, await postAll(fleet, next));
    },
    120_000,
  );
});
