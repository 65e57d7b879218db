import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileTokens } from '../../src/cli/file-tokens.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { RecordedLogger } from '../support/service.ts';
import { openRlhfOf, openServer, submissionOf, type TestServer } from './test-server.ts';

const TOKEN = {
  admin: 'token-of-the-admin',
  reader: 'token-of-a-reader-1',
  a: 'token-of-agent-a-01',
  b: 'token-of-agent-b-01',
  elsewhere: 'token-of-elsewhere-1',
} as const;
const TOKENS = JSON.stringify({
  admin: TOKEN.admin,
  read: TOKEN.reader,
  agents: { 'test/a': TOKEN.a, 'test/b': TOKEN.b, 'other/a': TOKEN.elsewhere },
});

const open = () => openServer({ server: { tokens: TOKENS } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const status = async (
  server: TestServer,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  token?: string,
  body?: unknown,
) => (await server.send(method, url, body, token === undefined ? {} : bearer(token))).status;

const ROLLOUTS = '/v1/cohorts/test/agents/a/rollouts';
const group = submissionOf('p', ['4', '5']);

describe('a server with tokens', () => {
  it.each([
    ['the agent itself', TOKEN.a, 202],
    ['an admin', TOKEN.admin, 202],
    ['another agent', TOKEN.b, 403],
    ['its namesake in another cohort', TOKEN.elsewhere, 403],
    ['a reader', TOKEN.reader, 403],
    ['a token that is almost right', `${TOKEN.a}x`, 401],
    ['nobody', undefined, 401],
  ])('answers rollouts of an agent that come with the token of %s', async (_who, token, expected) => {
    expect(await status(await open(), 'POST', ROLLOUTS, token, group)).toBe(expected);
  });

  it('stores nothing of a request that it refuses, and reads none of its body', async () => {
    const server = await open();
    expect(await status(server, 'POST', ROLLOUTS, TOKEN.b, 'not even JSON')).toBe(403);
    expect(await server.store.readPrompt('test', 'p')).toEqual([]);
  });

  it.each([
    ['PUT', '/v1/cohorts/new', { agents: ['x', 'y'] }],
    ['PUT', '/v1/cohorts/test/prompts', '{"prompt_id":"p","text":"t"}'],
    ['DELETE', '/v1/cohorts/test/prompts', undefined],
    ['DELETE', '/v1/cohorts/test', undefined],
  ] as const)('lets admins alone %s %s', async (method, url, body) => {
    const server = await open();
    for (const token of [TOKEN.a, TOKEN.reader])
      expect(await status(server, method, url, token, body)).toBe(403);
    expect(await status(server, method, url, undefined, body)).toBe(401);
    expect(await status(server, method, url, TOKEN.admin, body)).toBeLessThan(300);
  });

  it('shows an agent its own cohort and no other, and a reader everything', async () => {
    const server = await open();
    await server.send('PUT', '/v1/cohorts/other', { agents: ['a', 'b'] }, bearer(TOKEN.admin));
    expect(await status(server, 'GET', '/v1/cohorts/test', TOKEN.a)).toBe(200);
    expect(await status(server, 'GET', '/v1/cohorts/other', TOKEN.a)).toBe(403);
    // Let in, and told that this cohort has no such schedule.
    expect(await status(server, 'GET', '/v1/cohorts/test/ema?step=1', TOKEN.a)).toBe(422);
    for (const url of ['/v1/cohorts', '/metrics']) {
      expect(await status(server, 'GET', url, TOKEN.a)).toBe(403);
      expect(await status(server, 'GET', url, TOKEN.reader)).toBe(200);
    }
  });

  it('takes the password of a URL for the token, which is all that OpenRLHF, slime and ROLL can send', async () => {
    const server = await open();
    const basic = (token: string) => ({
      authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}`,
    });
    const eval_ = openRlhfOf('4', { split: 'eval', answer: '4' });
    expect((await server.send('POST', '/openrlhf/test/a', eval_, basic(TOKEN.a))).status).toBe(200);
    expect((await server.send('POST', '/openrlhf/test/a', eval_, basic(TOKEN.b))).status).toBe(403);
    expect((await server.send('POST', '/slime/test/a', {}, basic(TOKEN.b))).status).toBe(403);
    expect((await server.send('POST', '/roll/test/a/submit_task', {}, basic(TOKEN.b))).status).toBe(403);
  });

  it('asks browsers for the token, and says in words how to send it', async () => {
    const reply = await (await open()).get('/v1/cohorts');
    expect(reply.headers['www-authenticate']).toContain('Basic');
    expect(reply.body).toMatchObject({
      code: 'unauthorized',
      detail: expect.stringContaining('Authorization: Bearer'),
    });
  });

  it('tells orchestrators of its health without one', async () => {
    const server = await open();
    for (const url of ['/healthz', '/readyz', '/openapi.json'])
      expect(await status(server, 'GET', url)).toBe(200);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Basic !!!',
    'Basic',
    `Bearer ${'x'.repeat(5_000)}`,
    'Digest a=b',
    'bearer\ttoken',
  ])('refuses the header %j', async (authorization) => {
    const { status: refused } = await (await open()).send('GET', '/v1/cohorts', undefined, { authorization });
    expect(refused).toBe(401);
  });

  it('asks something of every route but those that are meant for everybody', async () => {
    const server = await open();
    const { paths } = (await server.get('/openapi.json')).body;
    for (const [path, methods] of Object.entries<object>(paths)) {
      if (['/healthz', '/readyz'].includes(path)) continue;
      for (const method of Object.keys(methods)) {
        const url = path.replaceAll(/\{\w+\}/g, 'x');
        const reply = await server.app.inject({ method: method.toUpperCase() as 'GET', url });
        expect([method, path, reply.statusCode]).toEqual([method, path, 401]);
      }
    }
  });
});

describe('a server without tokens', () => {
  it('takes everything from everybody', async () => {
    const server = await openServer();
    expect(await status(server, 'POST', ROLLOUTS, undefined, group)).toBe(202);
    expect(await status(server, 'DELETE', '/v1/cohorts/test')).toBeLessThan(300);
  });
});

describe('a file of tokens', () => {
  const openFile = () => {
    const folder = mkdtempSync(join(tmpdir(), 'peervote-tokens-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'tokens.yaml');
    writeFileSync(path, `admin: ${TOKEN.admin}`);
    const [clock, logger] = [new FakeClock(), new RecordedLogger()];
    const tokens = new FileTokens(path, { clock, logger });
    onTestFinished(() => tokens.stop());
    return { path, clock, logger, tokens };
  };

  it('that changes is in force without a restart', () => {
    const { path, clock, tokens } = openFile();
    writeFileSync(path, `read: ${TOKEN.reader}`);
    expect(tokens.current().map(({ grant }) => grant.kind)).toEqual(['admin']);
    clock.advance(5_000);
    expect(tokens.current().map(({ grant }) => grant.kind)).toEqual(['reader']);
  });

  it('that goes wrong leaves those from before in force, and is complained of once', () => {
    const { path, clock, logger, tokens } = openFile();
    writeFileSync(path, 'admin: short');
    clock.advance(20_000);
    expect(tokens.current().map(({ grant }) => grant.kind)).toEqual(['admin']);
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    writeFileSync(path, `read: ${TOKEN.reader}`);
    clock.advance(5_000);
    expect(tokens.current().map(({ grant }) => grant.kind)).toEqual(['reader']);
  });

  it('that is not there keeps the server from starting', () => {
    expect(
      () => new FileTokens('/no/such/file', { clock: new FakeClock(), logger: new RecordedLogger() }),
    ).toThrow('ENOENT');
  });
});

describe('limits of a server', () => {
  it('count requests by caller, and never those about health', async () => {
    const server = await openServer({ server: { requestsPerSecond: 3, tokens: TOKENS } });
    const ask = (token: string) => status(server, 'GET', '/v1/cohorts/test', token);
    const replies = await Promise.all([1, 2, 3, 4].map(() => ask(TOKEN.a)));
    expect(replies.filter((code) => code === 503)).toHaveLength(1);
    expect(await ask(TOKEN.b)).toBe(200);
    for (let time = 0; time < 10; time++) expect(await status(server, 'GET', '/healthz')).toBe(200);
  });

  it('count a token that nobody holds with its address, however it is made up', async () => {
    for (const tokens of [null, TOKENS]) {
      const server = await openServer({ server: { requestsPerSecond: 3, tokens } });
      const ask = (at: number) => status(server, 'GET', '/v1/cohorts/test', `made-up-token-number-${at}`);
      const replies = await Promise.all([1, 2, 3, 4, 5].map(ask));
      expect(replies.filter((code) => code === 503)).toHaveLength(2);
    }
  });

  it('serve metrics on a port of their own, and there only', async () => {
    const server = await openServer({ server: { metricsPort: 0, tokens: TOKENS } });
    expect(await status(server, 'GET', '/metrics', TOKEN.admin)).toBe(404);
    const reply = await server.metricsApp?.inject('/metrics');
    expect(reply?.payload).toContain('peervote_open_buckets');
    expect((await server.metricsApp?.inject('/v1/cohorts'))?.statusCode).toBe(404);
  });

  it('send headers that keep browsers careful', async () => {
    const { headers } = await (await openServer()).get('/healthz');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
  });
});
