import { describe, expect, it } from 'vitest';
import { DEFAULT_RELIABILITY_RULES } from '../../src/domain/plan.ts';
import { buildAdaptive, type CohortOverrides } from '../support/builders.ts';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

const COHORT: CohortOverrides = {
  agents: ['a', 'b', 'c'],
  k: 1,
  supervision: buildAdaptive(),
  reliability: { ...DEFAULT_RELIABILITY_RULES, every: 4, window: 8 },
};

const PLAN = '/v1/cohorts/test/plan';

async function train(server: TestServer): Promise<void> {
  for (let at = 0; at < 4; at++) {
    const labels = at % 2 === 0 ? { a: 'y', b: 'x', c: 'x' } : { a: 'x', b: 'y', c: 'x' };
    for (const [agent, label] of Object.entries(labels)) {
      await server.submit(agent, submissionOf(`p${at}`, [label]));
    }
  }
}

const planOf = async (server: TestServer) => (await server.get('/v1/cohorts/test')).body.plan;

describe('the plan of a cohort that chooses teachers', () => {
  it('is the ring at first, and says why', async () => {
    const plan = await planOf(await openServer(COHORT));
    expect(plan).toMatchObject({ version: 0, buckets: 0, frozen: false, changes: [] });
    expect(plan.teachers[0]).toEqual({
      agent: 'a',
      teacher: 'c',
      since_version: null,
      why: 'few-prompts',
      figures: null,
      rival: null,
    });
    expect(plan.notice).toContain('common prompts (adaptive.min_prompts), the ring (predecessor) teaches');
  });

  it('shows each choice with its figures, and the changes', async () => {
    const server = await openServer(COHORT);
    await server.advance(5_000);
    await train(server);
    const plan = await planOf(server);
    expect(plan).toMatchObject({ version: 1, buckets: 4, notice: null });
    const [, b] = plan.teachers;
    expect(b).toMatchObject({
      agent: 'b',
      teacher: 'c',
      since_version: 1,
      why: 'best',
      figures: { agreement: 0.5 },
      rival: { teacher: 'a', figures: { agreement: 0 } },
    });
    expect(b.figures.score).toBeGreaterThan(b.rival.figures.score);
    expect(plan.changes).toEqual([
      {
        version: 1,
        at_ms: expect.any(Number),
        agent: 'b',
        from: 'a',
        to: 'c',
        why: 'best',
        from_figures: b.rival.figures,
        to_figures: b.figures,
      },
    ]);
    const { body } = await server.get('/v1/cohorts/test/buckets/p0');
    expect(body.rounds[0].plan).toBeNull();
    await server.submit('b', submissionOf('q', ['1']));
    const { agents } = (await server.get('/v1/cohorts/test')).body;
    expect(agents[1]).toMatchObject({ name: 'b', teachers: ['c'] });
    const after = await server.get('/v1/cohorts/test/buckets/q');
    expect(after.body.rounds[0].plan).toMatchObject({ version: 1, teachers: { b: 'c' } });
  });

  it('can be set, frozen and given back', async () => {
    const server = await openServer(COHORT);
    const set = await server.send('PUT', PLAN, { teachers: { a: 'b' } });
    expect([set.status, set.body.frozen, set.body.version]).toEqual([200, true, 1]);
    expect(set.body.teachers.map(({ teacher, why }: Record<string, string>) => [teacher, why])).toEqual([
      ['b', 'set'],
      ['a', 'frozen'],
      ['b', 'frozen'],
    ]);
    await train(server);
    expect(await planOf(server)).toMatchObject({ version: 2, frozen: true, changes: set.body.changes });
    const { body } = await server.submit('a', submissionOf('q', ['1']));
    expect(body.waiting_for).toMatchObject([{ agent: 'b' }]);
    const released = await server.send('DELETE', PLAN);
    expect(released.body).toMatchObject({ version: 3, frozen: false });
    expect(await planOf(server)).toEqual(released.body);
    const thawed = await server.send('PUT', PLAN, { frozen: false });
    expect(thawed.body).toMatchObject({ version: 4, frozen: false });
  });

  it('refuses teachers that cannot be, with every problem', async () => {
    const server = await openServer(COHORT);
    const reply = await server.send('PUT', PLAN, { teachers: { a: 'a', nobody: 'b', b: 'x' } });
    expect([reply.status, reply.body.code, reply.body.problems.length]).toEqual([422, 'invalid_request', 3]);
    const shape = await server.send('PUT', PLAN, { teachers: ['a'] });
    expect([shape.status, shape.body.code]).toEqual([422, 'invalid_request']);
    expect((await planOf(server)).version).toBe(0);
  });

  it('refuses to set teachers of a cohort that does not choose them', async () => {
    const server = await openServer();
    for (const method of ['PUT', 'DELETE'] as const) {
      const reply = await server.send(method, PLAN, method === 'PUT' ? { frozen: true } : undefined);
      expect([reply.status, reply.body.code]).toEqual([409, 'not_adaptive']);
    }
    expect((await server.get('/v1/cohorts/test')).body.plan).toBeNull();
  });

  it('is set and given back by admins alone', async () => {
    const [admin, agent] = ['token-of-the-admin', 'token-of-agent-a-01'];
    const tokens = JSON.stringify({ admin, read: 'token-of-a-reader-1', agents: { 'test/a': agent } });
    const server = await openServer({ ...COHORT, server: { tokens } });
    const as = async (token: string, method: 'PUT' | 'DELETE', body?: unknown) =>
      (await server.send(method, PLAN, body, { authorization: `Bearer ${token}` })).status;
    for (const token of [agent, 'token-of-a-reader-1']) {
      expect([await as(token, 'PUT', { frozen: true }), await as(token, 'DELETE')]).toEqual([403, 403]);
    }
    expect([await as(admin, 'PUT', { frozen: true }), await as(admin, 'DELETE')]).toEqual([200, 200]);
  });

  it('says where it has no effect: in the reply to whoever makes the cohort, and in its state', async () => {
    const server = await openServer();
    const two = await server.send('PUT', '/v1/cohorts/two', { agents: ['a', 'b'], supervision: 'adaptive' });
    expect([two.status, two.body.notice]).toEqual([201, expect.stringContaining('among 3 agents or more')]);
    expect((await server.get('/v1/cohorts/two')).body.plan.notice).toBe(two.body.notice);
    const three = { agents: ['a', 'b', 'c'], supervision: 'adaptive' };
    expect((await server.send('PUT', '/v1/cohorts/three', three)).body).not.toHaveProperty('notice');
  });

  it('is written out and read back with every setting of its section', async () => {
    const server = await openServer();
    const adaptive = { every: 20, min_prompts: 30, margin: 0.1, fallback: 'successor', min_posterior: 0.8 };
    const config = { agents: ['a', 'b', 'c'], supervision: 'adaptive', adaptive };
    const { body } = await server.send('PUT', '/v1/cohorts/x', config);
    expect(body.config.adaptive).toEqual({
      ...adaptive,
      window: 500,
      min_dwell: 2,
      classes: 10,
      truth_share: 0,
    });
    expect((await server.send('PUT', '/v1/cohorts/x', body.config)).body).toEqual(body);
  });
});
