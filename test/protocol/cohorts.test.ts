import { describe, expect, it } from 'vitest';
import { openServer, submissionOf } from './test-server.ts';

describe('/v1/cohorts', () => {
  it('creates a cohort with 201, takes it again with 200, and writes it out with every default', async () => {
    const server = await openServer();
    const config = { agents: ['qwen', { name: 'llama', k: 4, role: 'teacher' }], k: 8 };
    const created = await server.send('PUT', '/v1/cohorts/math', config);
    expect([created.status, created.body.name]).toEqual([201, 'math']);
    expect(created.body.config).toMatchObject({
      agents: [
        { name: 'qwen', k: 8, role: 'learner' },
        { name: 'llama', k: 4, role: 'teacher' },
      ],
      method: 'co-rl',
      supervision: 'ring',
      barrier: 'sync',
    });
    const again = await server.send('PUT', '/v1/cohorts/math', created.body.config);
    expect([again.status, again.body]).toEqual([200, created.body]);
    const { body } = await server.get('/v1/cohorts');
    expect(body.cohorts.map(({ name }: { name: string }) => name)).toEqual(['math', 'test']);
  });

  it('trains in a cohort right after it was created', async () => {
    const server = await openServer();
    await server.send('PUT', '/v1/cohorts/math', {
      agents: ['qwen', 'llama'],
      k: 1,
      answers: { mode: 'raw' },
    });
    const send = (agent: string) =>
      server.send('POST', `/v1/cohorts/math/agents/${agent}/rollouts`, submissionOf('p', ['4']));
    expect((await send('qwen')).status).toBe(202);
    expect((await send('llama')).body.groups[0].rewards).toEqual([1]);
  });

  it.each(['-x', 'a b', 'ü', 'x'.repeat(65)])('refuses the name %j', async (name) => {
    const server = await openServer();
    const reply = await server.send('PUT', `/v1/cohorts/${encodeURIComponent(name)}`, { agents: ['a', 'b'] });
    expect(reply.status).toBe(422);
  });

  it('shows what goes on: who waits for whom, what is held and what is wrong', async () => {
    const server = await openServer({
      barrier: { deadlineMs: 3_600_000 },
      watchdog: { silentAfterMs: 10_000, stalledAfterMs: 10_000 },
    });
    const waiting = server.submit('a', submissionOf('p', ['4', '5'], { incarnation: 'i-1' }), '?wait=100');
    await server.untilHeld(1);
    await server.advance(10_000);
    await server.watch();
    const { body } = await server.get('/v1/cohorts/test');
    expect(body).toMatchObject({
      name: 'test',
      open_buckets: 1,
      held_requests: 1,
      agents: [
        { name: 'a', incarnation: 'i-1', finished: false, rollouts: 2, last_arrival_ms_ago: 10_000 },
        { name: 'b', incarnation: null, finished: false, rollouts: 0, last_arrival_ms_ago: null },
      ],
      waits: [{ agent: 'a', for: 'b', prompts: 1, oldest_prompt_id: 'p', oldest_age_ms: 10_000 }],
      verdict: {
        severity: 'critical',
        findings: [{ code: 'silent_agent', severity: 'critical', agents: ['b'] }],
      },
    });
    await server.submit('b', submissionOf('p', ['4', '5']));
    await waiting;
  });

  it('lists open buckets, oldest first, and explains one', async () => {
    const server = await openServer();
    for (const promptId of ['p', 'q', 'r']) await server.submit('a', submissionOf(promptId, ['4', '5']));
    const { body } = await server.get('/v1/cohorts/test/buckets?limit=2');
    expect(body).toEqual({
      open_buckets: 3,
      buckets: ['p', 'q'].map((promptId) => ({
        prompt_id: promptId,
        round: 0,
        groups: [
          { agent: 'a', state: 'complete', have: 2, need: 2 },
          { agent: 'b', state: 'open', have: 0, need: 2 },
        ],
      })),
    });
    await server.submit('b', submissionOf('p', ['5', '5']));
    const explained = await server.get('/v1/cohorts/test/buckets/p');
    expect(explained.body.rounds[0].groups[0]).toMatchObject({
      agent: 'a',
      own_label: '4',
      label: '5',
      rewarded_by: ['b'],
      reward_status: 'scored',
      rollouts: [
        { id: 'r0', answer: '4', reward: 0, late: false },
        { id: 'r1', answer: '5', reward: 1, late: false },
      ],
    });
    expect(explained.text).toContain('"reward":1.0');
  });

  it.each(['0', '1001', 'x'])('refuses to list %s buckets', async (limit) => {
    const server = await openServer();
    expect((await server.get(`/v1/cohorts/test/buckets?limit=${limit}`)).status).toBe(422);
  });

  it('deletes a cohort with all it holds, without a body', async () => {
    const server = await openServer();
    await server.submit('a', submissionOf('p', ['4', '5']));
    const deleted = await server.send('DELETE', '/v1/cohorts/test');
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await server.send('DELETE', '/v1/cohorts/test')).body.code).toBe('unknown_cohort');
    expect((await server.get('/v1/cohorts')).body.cohorts).toEqual([]);
  });
});

describe('what an orchestrator asks', () => {
  it('is answered: alive, ready, and metrics as Prometheus reads them', async () => {
    const server = await openServer();
    expect((await server.get('/healthz')).text).toBe('{"status":"ok"}');
    expect((await server.get('/readyz')).text).toBe('{"status":"ready"}');
    const metrics = await server.get('/metrics');
    expect(metrics.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metrics.text).toMatch(/^# HELP peervote_/m);
  });

  it('is described at /openapi.json, /openapi.yaml and /docs', async () => {
    const server = await openServer();
    expect((await server.get('/openapi.json')).body.openapi).toBe('3.1.0');
    expect((await server.get('/openapi.yaml')).text).toMatch(/^openapi: 3\.1\.0\n/);
    const page = await server.get('/docs/');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  });
});
