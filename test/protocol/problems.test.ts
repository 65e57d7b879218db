import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/cli/system-clock.ts';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../src/domain/errors.ts';
import { PROBLEMS } from '../../src/protocol/problem.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { buildAdaptive, type CohortOverrides } from '../support/builders.ts';
import { CodeService } from '../support/code-service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeEndpoint, hangs } from '../support/fake-endpoint.ts';
import { until } from '../support/service.ts';
import { openRlhfOf, openServer, type Reply, submissionOf, type TestServer } from './test-server.ts';

/** A store that is there at the start and then fails. */
class FailingStore extends MemoryStore {
  failing = false;

  override async listCohorts(): ReturnType<MemoryStore['listCohorts']> {
    if (this.failing) throw new Error('connection refused at 10.0.0.7');
    return super.listCohorts();
  }

  override async check(): Promise<readonly string[]> {
    if (this.failing) throw new Error('connection refused at 10.0.0.7');
    return super.check();
  }
}

/** A store in which another version left a cohort. */
class UnreadableStore extends MemoryStore {
  override async getCohort(name: string): ReturnType<MemoryStore['getCohort']> {
    if (name === 'other') throw new ServiceError('unreadable_data', 'Another version wrote it.');
    return super.getCohort(name);
  }
}

async function openFailing(): Promise<TestServer> {
  const clock = new FakeClock();
  const store = new FailingStore(clock);
  const server = await openServer({ clock, store });
  store.failing = true;
  return server;
}

/** What comes back for these bytes. */
async function exchange(server: TestServer, bytes: string): Promise<Reply> {
  const { port } = new URL(await server.listen());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ') as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, text: body, body: JSON.parse(body) };
}

const ADAPTIVE = {
  agents: ['a', 'b', 'c'],
  supervision: buildAdaptive(),
} satisfies CohortOverrides;

const group = submissionOf('p', ['4', '5']);
const program = {
  groups: [
    {
      prompt_id: 'p',
      mode: 'code',
      test_code: 'assert f(1) == 2',
      rollouts: [{ index: 0, answer: 'f = abs' }],
    },
  ],
};

const TOKENS = JSON.stringify({ agents: { 'test/b': 'token-of-agent-b-1' } });

/** How each error comes about. */
const CAUSES: Readonly<Record<ErrorCode, () => Promise<Reply>>> = {
  malformed_http: async () => exchange(await openServer(), 'HELLO\r\n\r\n'),
  headers_too_large: async () =>
    exchange(await openServer(), `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
  expectation_failed: async () =>
    exchange(await openServer(), 'POST / HTTP/1.1\r\nhost: x\r\nexpect: something\r\n\r\n'),
  upload_timeout: async () => {
    const server = await openServer({ clock: systemClock, server: { uploadTimeoutMs: 50 } });
    return exchange(
      server,
      'POST /v1/cohorts/test/agents/a/rollouts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
  },
  invalid_json: async () => (await openServer()).submit('a', '{'),
  non_finite_number: async () => (await openServer()).submit('a', '[NaN]'),
  invalid_request: async () => (await openServer()).submit('a', {}),
  unsupported_media_type: async () =>
    (await openServer()).send('POST', '/v1/cohorts/test/agents/a/skip', 'x', {
      'content-type': 'text/plain',
    }),
  body_too_large: async () =>
    (await openServer({ server: { bodyLimitBytes: 1_024 } })).submit('a', `"${'x'.repeat(2_000)}"`),
  unauthorized: async () => (await openServer({ server: { tokens: TOKENS } })).submit('a', group),
  cross_site: async () =>
    (await openServer()).send('DELETE', '/v1/cohorts/test', undefined, { 'sec-fetch-site': 'cross-site' }),
  host_not_allowed: async () =>
    (await openServer()).send('GET', '/v1/cohorts', undefined, { host: 'evil.example' }),
  forbidden: async () => {
    const server = await openServer({ server: { tokens: TOKENS } });
    const headers = { authorization: 'Bearer token-of-agent-b-1' };
    return server.send('POST', '/v1/cohorts/test/agents/a/rollouts', group, headers);
  },
  too_many_requests: async () => {
    const server = await openServer({ server: { requestsPerSecond: 1 } });
    await server.get('/v1/cohorts');
    return server.get('/v1/cohorts');
  },
  not_found: async () => (await openServer()).get('/v2/cohorts'),
  method_not_allowed: async () => (await openServer()).send('PATCH', '/v1/cohorts/test', {}),
  unknown_cohort: async () => (await openServer()).get('/v1/cohorts/other'),
  unknown_agent: async () => (await openServer()).submit('z', group),
  unknown_submission: async () => (await openServer()).get('/v1/cohorts/test/agents/a/submissions/s'),
  unknown_bucket: async () => (await openServer()).get('/v1/cohorts/test/buckets/p'),
  unknown_prompt: async () => {
    const server = await openServer();
    await server.send('PUT', '/v1/cohorts/test/prompts', '{"prompt_id":"p","text":"2+2?"}');
    return server.reward('a', openRlhfOf('4', '', '3+3?'));
  },
  invalid_cohort: async () => (await openServer()).send('PUT', '/v1/cohorts/other', { agents: ['a'], kk: 1 }),
  cohort_in_use: async () => {
    const server = await openServer();
    await server.submit('a', group);
    return server.send('PUT', '/v1/cohorts/test', { agents: ['a', 'b'], k: 3 });
  },
  too_many_cohorts: async () =>
    (await openServer({ server: { maxCohorts: 1 } })).send('PUT', '/v1/cohorts/other', {
      agents: ['a', 'b'],
    }),
  not_adaptive: async () => (await openServer()).send('PUT', '/v1/cohorts/test/plan', { frozen: true }),
  plan_busy: async () => {
    const clock = new FakeClock();
    const store = new MemoryStore(clock);
    // Somebody else is always faster.
    store.plans.swap = async () => false;
    const server = await openServer({ clock, store, ...ADAPTIVE });
    return server.send('DELETE', '/v1/cohorts/test/plan');
  },
  too_many_rollouts: async () => (await openServer()).submit('a', submissionOf('p', ['1', '2', '3'])),
  invalid_signals: async () => (await openServer({ method: 'rent' })).submit('a', group),
  too_many_rounds: async () => {
    const [rounds] = group.groups;
    const groups = Array.from({ length: 257 }, (_, round) => ({ ...rounds, round }));
    return (await openServer()).submit('a', { groups });
  },
  ground_truth_required: async () => (await openServer({ method: 'ground-truth' })).submit('a', group),
  rollout_conflict: async () => {
    const server = await openServer();
    const sent = (answer: string) => ({ prompt_id: 'p', round: 0, rollouts: [{ id: 'r', answer }] });
    await server.submit('a', { groups: [sent('4')] });
    return server.submit('a', { groups: [sent('5')] });
  },
  ground_truth_conflict: async () => {
    const server = await openServer({ method: 'ground-truth' });
    const sent = (truth: string) => ({ ...group.groups[0], ground_truth: truth });
    await server.submit('a', { groups: [sent('4')] });
    return server.submit('b', { groups: [sent('5')] });
  },
  stale_incarnation: async () => {
    const server = await openServer();
    for (const incarnation of ['i-1', 'i-2']) await server.submit('a', { ...group, incarnation });
    return server.submit('a', { ...group, incarnation: 'i-1' });
  },
  too_many_open_buckets: async () => {
    const server = await openServer({ limits: { openBuckets: 1 } });
    await server.submit('a', group);
    return server.submit('a', submissionOf('q', ['4', '5']));
  },
  too_many_held_requests: async () =>
    (await openServer({ limits: { heldRequests: 0 } })).reward('a', openRlhfOf('4')),
  judge_busy: async () => {
    const endpoint = await FakeEndpoint.start();
    endpoint.otherwise(hangs);
    const server = await openServer({ method: 'llm-judge', judge: { url: endpoint.url, holdMs: 1_000 } });
    const reply = server.submit('a', group);
    await endpoint.untilAsked(2);
    await server.advance(1_000);
    return reply;
  },
  not_decided_yet: async () => {
    const server = await openServer({ server: { openrlhfHoldMs: 1_000 } });
    const reply = server.reward('a', openRlhfOf('4'));
    await server.untilHeld(1);
    await server.advance(1_000);
    return reply;
  },
  sandbox_busy: async () => {
    const service = await CodeService.silent();
    onTestFinished(() => service.close());
    const server = await openServer({ code: { sandboxUrl: service.url, queuePrograms: 1 } });
    void server.submit('a', program);
    await until(() => service.asked > 0);
    return server.submit('a', program);
  },
  sandbox_unavailable: async () =>
    (await openServer({ code: { sandboxUrl: 'http://127.0.0.1:1' } })).submit('a', program),
  draining: async () => {
    const server = await openServer();
    const reply = server.submit('a', group, '?wait=50');
    await server.untilHeld(1);
    await server.close();
    return reply;
  },
  store_unavailable: async () => (await openFailing()).get('/readyz'),
  unreadable_data: async () => {
    const clock = new FakeClock();
    const server = await openServer({ clock, store: new UnreadableStore(clock) });
    return server.get('/v1/cohorts/other');
  },
  internal: async () => (await openFailing()).get('/v1/cohorts'),
};

describe('an error', () => {
  it.each(ERROR_CODES)(
    '%s is a problem with its status, and asks to retry only where that may help',
    async (code) => {
      const { status, title, retryable } = PROBLEMS[code];
      const reply = await CAUSES[code]();
      expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({
        type: `urn:peervote:error:${code}`,
        title,
        status,
        code,
        retryable,
        detail: expect.stringMatching(/^\S.{10,}[.)]$/s),
      });
      expect(reply.headers['retry-after']).toBe(retryable ? '1' : undefined);
    },
  );

  it('that is not expected tells the caller nothing of the inside', async () => {
    const { text: sent } = await CAUSES.internal();
    expect(sent).not.toContain('10.0.0.7');
    expect((await CAUSES.store_unavailable()).text).not.toContain('10.0.0.7');
  });

  it('of a wrong method says which are right', async () => {
    const server = await openServer();
    const reply = await server.get('/v1/cohorts/test/agents/a/rollouts');
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
    const other = await server.send('POST', '/v1/cohorts/test', 'no json', { 'content-type': 'text/plain' });
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
  });

  it.each([
    ['is no percent-encoding', '/v1/cohorts/%ZZ'],
    ['breaks off', '/v1/%'],
    ['has a part that is too long', `/v1/cohorts/${'x'.repeat(3_000)}`],
  ])('of a path that %s is a problem too', async (_what, path) => {
    const server = await openServer();
    const base = await server.listen();
    const reply = await fetch(base + path);
    expect(await reply.json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('lists every problem of a cohort at once', async () => {
    const server = await openServer();
    const reply = await server.send('PUT', '/v1/cohorts/new', { agents: ['a'], k: 0, kk: 1 });
    expect(reply.body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'agents',
      'k',
      'kk',
    ]);
    expect(reply.body.detail).toContain('3 problems');
  });

  it('while the server closes is a problem for those who come then, on whatever path', async () => {
    const server = await openServer();
    const base = await server.listen();
    // An upload under way keeps the server from closing for a while.
    const slow = connect(Number(new URL(base).port), '127.0.0.1');
    const arrived = new Promise((resolve) => server.app.server.once('request', resolve));
    slow.write(
      'POST /v1/cohorts/test/agents/a/finish HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n',
    );
    await arrived;
    const closing = server.close();
    const late = await fetch(`${base}/v1/cohorts/test/agents/a/rollouts`, {
      method: 'POST',
      body: JSON.stringify(group),
      headers: { 'content-type': 'application/json' },
    });
    expect([late.headers.get('retry-after'), late.headers.get('connection')]).toEqual(['1', 'close']);
    expect(await late.json()).toMatchObject({ status: 503, code: 'draining' });
    const ready = await fetch(`${base}/readyz`);
    expect(await ready.json()).toMatchObject({ status: 503, code: 'draining' });
    slow.destroy();
    await closing;
  });
});
