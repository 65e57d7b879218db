import { describe, expect, it } from 'vitest';
import { openRlhfOf, openServer, submissionOf } from './test-server.ts';

const PEER = ['4', '4', '4', '4', '4', '5', '5', null];
const MINE = ['4', '4', '6', '6', '6', null, '4', '4'];

describe('a cohort with reward rules', () => {
  it('is put as JSON, shown with every default, and pays by them as floats', async () => {
    const server = await openServer();
    const config = {
      agents: ['a', 'b'],
      answers: { mode: 'raw' },
      reward: { kind: 'soft', weight: 'top1', scale: 2 },
    };
    const put = await server.send('PUT', '/v1/cohorts/soft', config);
    expect(put.body.config.reward).toEqual({
      kind: 'soft',
      scale: 2,
      weight: 'top1',
      w_min: 0,
      flip_gate: null,
      entropy_window: null,
    });
    const url = (agent: string) => `/v1/cohorts/soft/agents/${agent}/rollouts`;
    await server.send('POST', url('b'), submissionOf('p', PEER));
    const reply = await server.send('POST', url('a'), submissionOf('p', MINE));
    expect(reply.body.groups[0]).toMatchObject({
      status: 'scored',
      label: '4',
      reward_weight: 0.6875,
      advantage_offset: 0,
      rewards: [0.859375, 0.859375, 0, 0, 0, 0, 0.859375, 0.859375],
    });
    expect(reply.text).toContain('"advantage_offset":0.0');
    const explained = await server.get('/v1/cohorts/soft/buckets/p');
    expect(explained.body.rounds[0]).toMatchObject({ plan: null, groups: [{ reward_weight: 0.6875 }, {}] });
  });

  it('answers an agent only once its own group is decided too, where a rule reads that', async () => {
    const server = await openServer({ k: 2 });
    await server.send('PUT', '/v1/cohorts/test', {
      agents: ['a', 'b'],
      k: 2,
      answers: { mode: 'raw' },
      reward: { weight: 'tv' },
    });
    await server.submit('b', submissionOf('p', ['4', '4']));
    const half = await server.submit('a', submissionOf('p', ['5']));
    expect([half.status, half.body.waiting_for]).toEqual([
      202,
      [{ agent: 'a', prompt_id: 'p', round: 0, have: 1, need: 2 }],
    ]);
  });

  it('pays by what the trainer says of a rollout, and tells what it did not say', async () => {
    const server = await openServer();
    const raw = { agents: ['a', 'b'], k: 2, answers: { mode: 'raw' } };
    await server.send('PUT', '/v1/cohorts/test', { ...raw, reward: { kind: 'log-distill' } });
    const said = { id: 'r0', answer: '4', tokens: 10, peer_logprob_sum: -12 };
    const distilled = await server.submit('a', { groups: [{ prompt_id: 'p', rollouts: [said] }] });
    expect(distilled.body.groups[0]).toMatchObject({ reward_source: 'peer-logprob', rewards: [-1.2] });
    await server.send('PUT', '/v1/cohorts/novel', { ...raw, reward: { kind: 'novelty' } });
    const url = (agent: string) => `/v1/cohorts/novel/agents/${agent}/rollouts`;
    await server.send('POST', url('b'), submissionOf('p', ['4', '4']));
    const rollouts = [
      { id: 'r0', answer: '4', novelty: 0.3 },
      { id: 'r1', answer: '5' },
    ];
    const { body } = await server.send('POST', url('a'), { groups: [{ prompt_id: 'p', rollouts }] });
    expect(body.groups[0]).toMatchObject({
      rewards: [1, null],
      rollouts: [{ reason: null }, { reason: 'No novelty was sent for this rollout.' }],
    });
  });

  it.each(['novelty', 'log-distill'])('cannot pay %s over a protocol without signals', async (kind) => {
    const server = await openServer();
    await server.send('PUT', '/v1/cohorts/test', { agents: ['a', 'b'], reward: { kind } });
    const { status, body } = await server.reward('a', openRlhfOf('4'));
    expect([status, body.code]).toEqual([422, 'invalid_signals']);
    expect(body.detail).toContain(`Reward kind "${kind}" needs`);
  });

  it('is refused with every problem and what to do about it', async () => {
    const server = await openServer();
    const reply = await server.send('PUT', '/v1/cohorts/bad', {
      agents: ['a', 'b'],
      barrier: 'last-label',
      reward: { kind: 'novelty', w_min: 0.5 },
      vote: { weighting: 'harmonic' },
    });
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_cohort']);
    expect(reply.body.problems.map(({ path }: { path: string }) => path)).toEqual([
      'reward.w_min',
      'reward.kind',
      'vote.weighting',
    ]);
  });
});

describe('a cohort that goes by reliability', () => {
  it('shows its plan, and the one that a bucket went by', async () => {
    const server = await openServer();
    await server.send('PUT', '/v1/cohorts/three', {
      agents: ['a', 'b', 'c'],
      k: 1,
      answers: { mode: 'raw' },
      supervision: 'peer-majority',
      vote: { weighting: 'dawid-skene' },
      reliability: { every: 1, window: 10 },
    });
    const send = (agent: string, promptId: string, answer: string) =>
      server.send('POST', `/v1/cohorts/three/agents/${agent}/rollouts`, submissionOf(promptId, [answer]));
    expect((await server.get('/v1/cohorts/three')).body.plan).toBeNull();
    for (const [agent, answer] of [
      ['a', '1'],
      ['b', '1'],
      ['c', '2'],
    ] as const)
      await send(agent, 'p', answer);
    const { body, text } = await server.get('/v1/cohorts/three');
    expect(body.plan).toMatchObject({ version: 1, buckets: 1 });
    expect(body.plan.reliability.a).toBeGreaterThan(body.plan.reliability.c);
    expect(text).toMatch(/"reliability":\{"a":0\.\d+/);
    for (const [agent, answer] of [
      ['c', 'z'],
      ['b', 'y'],
      ['a', 'x'],
    ] as const)
      await send(agent, 'q', answer);
    const bucket = await server.get('/v1/cohorts/three/buckets/q');
    // A bucket keeps what decides; how it came about is the cohort's to tell.
    const { version, buckets, reliability } = body.plan;
    expect(bucket.body.rounds[0].plan).toEqual({ version, buckets, reliability, teachers: null });
    expect(bucket.body.rounds[0].groups.find(({ agent }: { agent: string }) => agent === 'a').label).toBe(
      'y',
    );
  });
});
