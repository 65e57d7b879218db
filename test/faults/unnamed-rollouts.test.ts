import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { RedisServer } from '../support/redis-server.ts';
import { drawSamples, payOffline, type Sample } from '../support/trainer.ts';
import { AGENTS, Fleet, K } from './fleet.ts';

const PROMPT = 'Question: what is it?\n';
const PATIENCE_MS = 60_000;

/** One rollout as OpenRLHF posts it: no id, no index; after a failure the same bytes again a second later. */
async function postRollout(
  fleet: Fleet,
  agent: string,
  promptId: string,
  answer: string | null,
  first: number,
) {
  const body = JSON.stringify({
    query: [`${PROMPT}${answer ?? ''}`],
    prompts: [PROMPT],
    labels: [JSON.stringify({ pid: promptId })],
  });
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let attempt = first; performance.now() < giveUpAt; attempt++) {
    const urls = fleet.urls();
    const reply = await fetch(`${urls[attempt % urls.length]}/openrlhf/default/${agent}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => null);
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
    fleet = await Fleet.start(3, { command: command.path, redis });
  });
  afterEach(async () => {
    await fleet.stop();
    await redis.stop();
  });

  it('vote once each, though the replica that held a third of them was killed', async () => {
    // Without an index a tie goes to the smallest hash of an answer: there is none here.
    const samples = drawSamples(AGENTS, 40, { k: K, seed: 21 }).map((sample) => ({
      ...sample,
      answers: [sample.answers[0] ?? '9', sample.answers[0] ?? '9', '7', '8'],
    }));
    const [a, b] = AGENTS.map((agent) => samples.filter((sample) => sample.agent === agent));
    if (a === undefined || b === undefined) throw new Error('unreachable');
    // Whoever was connected just now must not be taken for one that is gone.
    await sleep(3_500);
    const first = Promise.all(a.map((sample, at) => postSample(fleet, sample, at)));
    await fleet.untilHeld(a.length * K);
    const [victim] = fleet.replicas;
    if (victim === undefined) throw new Error('unreachable');
    fleet.lose(victim);
    await victim.kill();
    await sleep(2_500);
    const second = Promise.all(b.map((sample, at) => postSample(fleet, sample, at)));
    const rewards = [...(await first), ...(await second)];
    const paid = payOffline(samples, AGENTS);
    samples.forEach(({ agent, promptId }, at) => {
      const wanted = paid.get(`${agent}/${promptId}`)?.rewards;
      expect({ agent, promptId, rewards: rewards[at] }).toEqual({ agent, promptId, rewards: wanted });
    });
    const page = await (await fetch(`${fleet.urls()[0]}/v1/cohorts/default/buckets/p0`)).json();
    expect(JSON.stringify(page)).not.toContain('"late":true');
  }, 120_000);
});
