import { describe, expect, it } from 'vitest';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

const FINISH = '/v1/cohorts/test/agents/a/finish';
const group = submissionOf('p', ['4', '5']);

/** Every write there is, and what it would take. */
const WRITES = [
  ['POST', '/v1/cohorts/test/agents/a/rollouts', group],
  ['POST', '/v1/cohorts/test/agents/a/skip', { prompts: [{ prompt_id: 'p' }] }],
  ['POST', FINISH, undefined],
  ['POST', '/openrlhf/test/a', { query: [], prompts: [] }],
  ['POST', '/slime/test/a', { prompt: 'x', response: 'y' }],
  ['POST', '/roll/test/a/submit_task', { data_id: 1, rollout_id: 'r', response: 'x' }],
  ['PUT', '/v1/cohorts/test', { agents: ['a', 'b'] }],
  ['PUT', '/v1/cohorts/test/prompts', '{"prompt_id":"p","text":"t"}'],
  ['DELETE', '/v1/cohorts/test/prompts', undefined],
  ['PUT', '/v1/cohorts/test/plan', { teachers: {} }],
  ['DELETE', '/v1/cohorts/test/plan', undefined],
  ['DELETE', '/v1/cohorts/test', undefined],
  ['POST', '/v1/vote', { answers: ['4'] }],
] as const;

const ask = (server: TestServer, headers: Readonly<Record<string, string>>) =>
  server.send('POST', FINISH, undefined, headers);

describe('what a browser sends for a page of another origin', () => {
  it.each(WRITES)('changes nothing: %s %s', async (method, url, body) => {
    const server = await openServer();
    const { status, body: problem } = await server.send(method, url, body, {
      'sec-fetch-site': 'cross-site',
    });
    expect([status, problem.code]).toEqual([403, 'cross_site']);
    expect((await server.get('/v1/cohorts/test')).body.agents).toMatchObject([
      { finished: false, rollouts: 0 },
      { finished: false, rollouts: 0 },
    ]);
  });

  it.each([
    ['another port of the same site', { 'sec-fetch-site': 'same-site' }],
    ['an old browser', { origin: 'http://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['the same name over another port', { host: 'localhost:8080', origin: 'http://localhost:9999' }],
    ['a page that lies about its origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }],
  ])('is refused from %s', async (_who, headers) => {
    expect((await ask(await openServer(), headers)).status).toBe(403);
  });

  it.each([
    ['a program', {}],
    ['a page of this server', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser on this server', { host: 'localhost:8080', origin: 'http://localhost:8080' }],
    ['an old browser behind TLS on its usual port', { host: 'localhost', origin: 'https://localhost' }],
  ])('is not what %s sends', async (_who, headers) => {
    expect((await ask(await openServer(), headers)).status).toBe(200);
  });

  it('is refused with a token as well, which the browser may have kept', async () => {
    const server = await openServer({
      server: { tokens: JSON.stringify({ admin: 'token-of-the-admin' }) },
    });
    const headers = { authorization: 'Bearer token-of-the-admin', 'sec-fetch-site': 'cross-site' };
    expect((await ask(server, headers)).body.code).toBe('cross_site');
    expect((await server.send('GET', '/v1/cohorts', undefined, headers)).status).toBe(200);
  });
});

describe('a server without tokens', () => {
  const named = (server: TestServer, host: string) => server.send('GET', '/v1/cohorts', undefined, { host });

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
    '@',
  ])('does not answer to the name %s', async (host) => {
    const { status, body } = await named(await openServer(), host);
    expect([status, body.code]).toEqual([403, 'host_not_allowed']);
  });

  it.each([
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    '10.0.0.7',
    'peervote:80',
    'x.localhost',
  ])('answers to %s, which no web page can call itself', async (host) => {
    expect((await named(await openServer(), host)).status).toBe(200);
  });

  it('answers to the names that it is told', async () => {
    const server = await openServer({ server: { allowedHosts: ['rewards.example'] } });
    expect((await named(server, 'Rewards.Example:8080')).status).toBe(200);
    expect((await named(server, 'other.example')).status).toBe(403);
  });

  it('leaves names to the tokens where there are any', async () => {
    const server = await openServer({ server: { tokens: JSON.stringify({ admin: 'token-of-the-admin' }) } });
    const headers = { host: 'rewards.example', authorization: 'Bearer token-of-the-admin' };
    expect((await server.send('GET', '/v1/cohorts', undefined, headers)).status).toBe(200);
  });
});
