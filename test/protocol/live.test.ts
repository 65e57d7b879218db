import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

/** Reads a stream of events piece by piece. */
async function follow(
  base: string,
  path = '/v1/cohorts/test/events',
  headers: Readonly<Record<string, string>> = {},
) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const reply = await fetch(`${base}${path}`, { signal: abort.signal, headers });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** The next event or comment. */
  const next = async (): Promise<string | null> => {
    while (!text.includes('\n\n')) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return null;
      text += value;
    }
    const [event = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    return event;
  };
  return { reply, next, leave: () => abort.abort() };
}

function dataOf(event: string | null) {
  return JSON.parse(event?.match(/^event: changed\ndata: (.*)$/)?.[1] ?? 'null');
}

async function open(): Promise<{ server: TestServer; base: string }> {
  const server = await openServer({ answers: { mode: 'boxed', pattern: null } });
  return { server, base: await server.listen() };
}

describe('GET …/events', () => {
  it('tells the state at once, then once a second what changed, and nothing where nothing does', async () => {
    const { server, base } = await open();
    const { reply, next } = await follow(base);
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await next()).toBe('retry: 2000');
    expect(dataOf(await next())).toMatchObject({
      name: 'test',
      open_buckets: 0,
      waits: [],
      verdict: { severity: null, findings: [] },
    });
    await server.advance(5_000);
    await server.submit('a', submissionOf('p', ['4', '5']));
    await server.submit('a', submissionOf('q', ['4', '5']));
    await server.advance(1_000);
    expect(dataOf(await next())).toMatchObject({
      open_buckets: 2,
      agents: [
        { name: 'a', role: 'learner', k: 2, teachers: ['b'], rollouts: 4 },
        { name: 'b', teachers: ['a'], rollouts: 0 },
      ],
      waits: [{ agent: 'a', for: 'b', prompts: 2, oldest_prompt_id: 'p' }],
    });
  });

  it('ends when its token is taken back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'peervote-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'tokens.yaml');
    writeFileSync(path, 'read: [token-of-a-reader-1, token-of-a-reader-2]');
    const server = await openServer({ server: { tokensFile: path } });
    const base = await server.listen();
    const [first, second] = await Promise.all(
      ['token-of-a-reader-1', 'token-of-a-reader-2'].map((token) =>
        follow(base, '/v1/cohorts/test/events', { authorization: `Bearer ${token}` }),
      ),
    );
    await server.advance(1_000);
    for (const stream of [first, second]) for (let at = 0; at < 2; at++) await stream?.next();
    writeFileSync(path, 'read: [token-of-a-reader-2]');
    for (let second = 0; second < 16; second++) await server.advance(1_000);
    expect(await first?.next()).toBeNull();
    expect(await second?.next()).toBe(': still here');
  });

  it('shows a sign of life every 15 seconds', async () => {
    const { server, base } = await open();
    const { next } = await follow(base);
    await next();
    await next();
    for (let second = 0; second < 16; second++) await server.advance(1_000);
    expect(await next()).toBe(': still here');
  });

  it('looks at a cohort once for all who follow it', async () => {
    const { server, base } = await open();
    const all = await Promise.all([follow(base), follow(base), follow(base)]);
    await server.submit('a', submissionOf('p', ['4', '5']));
    await server.advance(1_000);
    for (const { next } of all) {
      let seen = '';
      while (!seen.includes('"open_buckets":1')) seen = (await next()) ?? 'ended';
      expect(dataOf(seen).waits).toHaveLength(1);
    }
  });

  it('ends with its cohort, and with the server', async () => {
    const { server, base } = await open();
    const { next } = await follow(base);
    await server.send('PUT', '/v1/cohorts/other', { agents: ['x', 'y'], k: 2 });
    const other = await follow(base, '/v1/cohorts/other/events');
    await server.send('DELETE', '/v1/cohorts/other');
    await server.advance(1_000);
    expect([await other.next(), await other.next(), await other.next()].at(-1)).toBeNull();
    const closed = server.close();
    expect([await next(), await next(), await next()].at(-1)).toBeNull();
    await closed;
  });

  it('refuses more connections than it has room for, until one leaves', async () => {
    const { base } = await open();
    const all = await Promise.all(Array.from({ length: 256 }, () => follow(base)));
    const refused = await fetch(`${base}/v1/cohorts/test/events`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'too_many_held_requests', retryable: true });
    for (const { leave } of all.slice(0, 4)) leave();
    await expect.poll(async () => (await follow(base)).reply.status).toBe(200);
  });

  it('knows no cohort that is not there', async () => {
    const { server } = await open();
    expect((await server.get('/v1/cohorts/nowhere/events')).body).toMatchObject({ code: 'unknown_cohort' });
  });
});

describe('completions that are kept', () => {
  it('are listed by prompt, the latest first, and shown with the bucket', async () => {
    const { server } = await open();
    const completed = (prompt_id: string) => ({
      groups: [
        {
          prompt_id,
          rollouts: [
            { index: 0, completion: 'so \\boxed{4}' },
            { index: 1, completion: 'no' },
          ],
        },
      ],
    });
    await server.submit('a', completed('p'));
    await server.submit('b', completed('p'));
    await server.submit('a', completed('q'));
    await server.advance(1_000);
    expect((await server.get('/v1/cohorts/test/samples')).body).toEqual({
      prompts: [
        { prompt_id: 'p', round: 0, agents: ['a', 'b'], completions: 4 },
        { prompt_id: 'q', round: 0, agents: ['a'], completions: 2 },
      ],
    });
    const { samples } = (await server.get('/v1/cohorts/test/buckets/p')).body;
    expect(samples).toHaveLength(4);
    expect(samples.slice(0, 2)).toEqual([
      {
        round: 0,
        agent: 'a',
        rollout_id: '#0',
        incarnation: null,
        answer: '4',
        key: '4',
        text: 'so \\boxed{4}',
        cut: null,
        span: { start: 10, end: 11 },
        note: null,
      },
      expect.objectContaining({
        rollout_id: '#1',
        answer: null,
        span: null,
        note: 'No answer was found: it abstains.',
      }),
    ]);
  });
});

describe('the page at /', () => {
  it('lets in nothing from elsewhere and nothing inline, and is not sent twice', async () => {
    const { server } = await open();
    const page = await server.get('/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    const again = await server.send('GET', '/', undefined, { 'if-none-match': String(page.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is whole: every file that it asks for is there', async () => {
    const { server } = await open();
    const asked = new Set<string>();
    const look = async (path: string): Promise<void> => {
      if (asked.has(path)) return;
      asked.add(path);
      const { status, text, headers } = await server.get(path);
      expect([path, status, String(headers['content-type']).split(';')[0]]).toEqual([
        path,
        200,
        { html: 'text/html', css: 'text/css', svg: 'image/svg+xml', js: 'text/javascript' }[
          path.split('.').at(-1) ?? ''
        ] ?? 'text/html',
      ]);
      const named = [...text.matchAll(/(?:from '\.\/|(?:href|src)="live\/)([\w.-]+)['"]/g)];
      for (const [, name] of named) await look(`/live/${name}`);
    };
    await look('/');
    expect(asked).toContain('/live/ring.js');
    expect(asked).toContain('/live/uplot.js');
  });

  it('holds no data, so it needs no token, while all it asks for does', async () => {
    const server = await openServer({ server: { tokens: 'read: reader-0123456789abcdef' } });
    expect((await server.get('/')).status).toBe(200);
    for (const path of ['events', 'samples', 'diagnostics', 'buckets']) {
      expect((await server.get(`/v1/cohorts/test/${path}`)).status).toBe(401);
    }
    const headers = { authorization: 'Bearer reader-0123456789abcdef' };
    for (const path of ['samples', 'diagnostics', 'buckets']) {
      expect((await server.send('GET', `/v1/cohorts/test/${path}`, undefined, headers)).status).toBe(200);
    }
  });
});
