import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { settleDown } from '../support/service.ts';
import { openServer, readFetched, submissionOf, type TestServer } from './test-server.ts';

const ROLLOUTS = '/v1/cohorts/test/agents/a/rollouts';

/** A waiting request that can be asked whether it is over. */
function waitFor(server: TestServer, body: unknown, query: string) {
  const state = { over: false };
  const reply = server.submit('a', body, query).finally(() => {
    state.over = true;
  });
  return { state, reply };
}

describe('?wait=', () => {
  it('holds the request until it is decided', async () => {
    const server = await openServer();
    const { reply } = waitFor(server, submissionOf('p', ['4', '5']), '?wait=50');
    await server.untilHeld(1);
    await server.submit('b', submissionOf('p', ['4', '4']));
    expect((await reply).body).toMatchObject({ status: 'decided', groups: [{ rewards: [1, 0] }] });
    expect(await server.held()).toBe(0);
  });

  it('answers 202 when the slice is over, to be asked again', async () => {
    const server = await openServer();
    const { state, reply } = waitFor(
      server,
      submissionOf('p', ['4', '5'], { submission_id: 's' }),
      '?wait=50',
    );
    await server.untilHeld(1);
    await server.advance(49_999);
    expect(state.over).toBe(false);
    await server.advance(1);
    expect((await reply).status).toBe(202);
    const again = server.get('/v1/cohorts/test/agents/a/submissions/s?wait=50');
    await server.untilHeld(1);
    await server.submit('b', submissionOf('p', ['5', '5']));
    expect((await again).body.groups[0].rewards).toEqual([0, 1]);
  });

  it('is cut to what the server allows', async () => {
    const server = await openServer({
      server: { maxWaitMs: 5_000 },
      barrier: { deadlineMs: 600_000 },
    });
    const { reply } = waitFor(server, submissionOf('p', ['4', '5']), '?wait=86400');
    await server.untilHeld(1);
    await server.advance(5_000);
    expect((await reply).status).toBe(202);
  });

  it('takes fractions of a second', async () => {
    const server = await openServer();
    const { state, reply } = waitFor(server, submissionOf('p', ['4', '5']), '?wait=0.5');
    await server.untilHeld(1);
    await server.advance(499);
    expect(state.over).toBe(false);
    await server.advance(1);
    expect((await reply).status).toBe(202);
  });

  it.each(['abc', '-1', '86401', 'NaN', 'Infinity'])('refuses %s', async (wait) => {
    const server = await openServer();
    const reply = await server.submit('a', submissionOf('p', ['4', '5']), `?wait=${wait}`);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_request']);
    expect(reply.body.detail).toMatch(/^querystring: wait: /);
  });

  it('is not waited for where too many are held already: 202 that asks not to come at once', async () => {
    const server = await openServer({ limits: { heldRequests: 1 } });
    const { reply } = waitFor(server, submissionOf('p', ['4', '5']), '?wait=50');
    await server.untilHeld(1);
    const crowded = await server.submit('a', submissionOf('q', ['4', '5']), '?wait=50');
    expect([crowded.status, crowded.headers['retry-after']]).toEqual([202, '1']);
    const recorded = await server.submit('a', submissionOf('r', ['4', '5']));
    expect([recorded.status, recorded.headers['retry-after']]).toEqual([202, undefined]);
    await server.advance(50_000);
    expect((await reply).status).toBe(202);
  });

  it('ends with 404 when the cohort is deleted, and with 409 when the trainer restarts', async () => {
    const server = await openServer();
    const old = waitFor(server, submissionOf('p', ['4', '5'], { incarnation: 'i-1' }), '?wait=50');
    await server.untilHeld(1);
    await server.submit('a', submissionOf('q', ['4', '5'], { incarnation: 'i-2' }));
    expect((await old.reply).body).toMatchObject({ status: 409, code: 'stale_incarnation' });

    const { reply } = waitFor(server, submissionOf('p', ['4', '5'], { incarnation: 'i-2' }), '?wait=50');
    await server.untilHeld(1);
    expect((await server.send('DELETE', '/v1/cohorts/test')).status).toBe(204);
    expect((await reply).body).toMatchObject({ status: 404, code: 'unknown_cohort', retryable: false });
  });

  it('tells what the watchdog thinks while it waits', async () => {
    const server = await openServer({
      barrier: { deadlineMs: 3_600_000 },
      watchdog: { silentAfterMs: 10_000, stalledAfterMs: 10_000 },
    });
    await server.submit('a', submissionOf('p', ['4', '5'], { submission_id: 's' }));
    await server.advance(10_000);
    await server.watch();
    const { body } = await server.get('/v1/cohorts/test/agents/a/submissions/s');
    expect(body.notices).toEqual([expect.stringContaining('"b" has never sent anything')]);
  });

  it('tells what is wrong with its rewards, too', async () => {
    const server = await openServer({
      barrier: { deadlineMs: 10_000_000 },
      watchdog: { silentAfterMs: 10_000, stalledAfterMs: 10_000 },
    });
    await server.submit('a', submissionOf('p', ['4', '4']));
    await server.submit('a', submissionOf('q', ['4', '4']));
    await server.advance(10_000);
    await server.watch();
    const reply = await server.submit('b', submissionOf('p', ['4', '5']));
    expect(reply.status).toBe(200);
    expect(reply.body.notices).toEqual([expect.stringContaining('"b" has never sent anything')]);
  });
});

describe('a caller on a real socket', () => {
  it('that hangs up is held no longer, and what it sent counts', async () => {
    const server = await openServer();
    const base = await server.listen();
    const body = JSON.stringify(submissionOf('p', ['4', '4'], { submission_id: 's' }));
    const calls = Array.from({ length: 20 }, () => {
      const call = request(`${base}${ROLLOUTS}?wait=100`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      call.on('error', () => undefined);
      call.end(body);
      return call;
    });
    await server.untilHeld(20);
    for (const call of calls) call.destroy();
    await server.untilHeld(0);
    const peer = await server.submit('b', submissionOf('p', ['4', '5']));
    expect(peer.body.groups[0].rewards).toEqual([1, 0]);
    const again = await server.get('/v1/cohorts/test/agents/a/submissions/s');
    expect(again.body.groups[0].rewards).toEqual([1, 1]);
  });

  it('keeps its connection for the next request after 200, 202 and problems', async () => {
    const server = await openServer();
    const base = await server.listen();
    let connections = 0;
    server.app.server.on('connection', () => {
      connections += 1;
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async (body: string) => {
      const call = request(`${base}${ROLLOUTS}`, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json' },
      });
      call.end(body);
      const [reply]: IncomingMessage[] = await once(call, 'response');
      await once(reply?.resume() ?? call, 'end');
      return reply?.statusCode;
    };
    const statuses = [];
    for (const body of [JSON.stringify(submissionOf('p', ['4', '5'])), '{}', '{"groups":[]}']) {
      statuses.push(await post(body));
    }
    agent.destroy();
    expect([statuses, connections]).toEqual([[202, 422, 422], 1]);
  });

  it('gets its reward while the body it sent is long forgotten', async () => {
    const server = await openServer();
    const base = await server.listen();
    const completion = `${'x'.repeat(200_000)} 42`;
    const group = { prompt_id: 'p', rollouts: [{ completion }, { answer: '7' }] };
    const waiting = fetch(`${base}${ROLLOUTS}?wait=100`, {
      method: 'POST',
      body: JSON.stringify({ groups: [group] }),
      headers: { 'content-type': 'application/json' },
    });
    await server.untilHeld(1);
    await settleDown();
    await server.submit('b', submissionOf('p', ['7', '7']));
    const reply = await readFetched(await waiting);
    expect(reply.body.groups[0].rewards).toEqual([0, 1]);
  });
});
