import { describe, expect, it } from 'vitest';
import { openServer, readFetched, submissionOf, type TestServer } from './test-server.ts';

async function ask(server: TestServer, base: string, body: object, query: string): Promise<Response> {
  const reply = fetch(`${base}/v1/cohorts/test/agents/a/rollouts${query}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  await server.untilHeld(1);
  return reply;
}

describe('?heartbeat=', () => {
  it('sends headers at once and a newline every so many seconds before the rewards', async () => {
    const server = await openServer();
    const base = await server.listen();
    const reply = await ask(server, base, submissionOf('p', ['4', '5']), '?wait=50&heartbeat=15');
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': 'no-transform',
    });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    const chunks = [(await reader?.read())?.value];
    for (let beat = 0; beat < 2; beat++) {
      await server.advance(15_000);
      chunks.push((await reader?.read())?.value);
    }
    expect(chunks).toEqual(['\n', '\n', '\n']);
    await server.submit('b', submissionOf('p', ['4', '4']));
    const { value } = (await reader?.read()) ?? {};
    expect(JSON.parse(value ?? '')).toMatchObject({ status: 'decided', groups: [{ rewards: [1, 0] }] });
    expect(value).toContain('"rewards":[1.0,0.0]');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('is JSON as a whole, which says `pending` when the wait is over', async () => {
    const server = await openServer();
    const base = await server.listen();
    const body = submissionOf('p', ['4', '5'], { submission_id: 's' });
    const reply = await ask(server, base, body, '?wait=20&heartbeat=5');
    await server.advance(20_000);
    expect((await readFetched(reply)).body).toMatchObject({ status: 'pending', submission_id: 's' });

    const again = fetch(`${base}/v1/cohorts/test/agents/a/submissions/s?wait=20&heartbeat=5`);
    await server.untilHeld(1);
    await server.submit('b', submissionOf('p', ['5', '5']));
    const { status, text, body: decided } = await readFetched(await again);
    expect([status, text.startsWith('\n'), decided.groups[0].rewards]).toEqual([200, true, [0, 1]]);
  });

  it('changes nothing where the request has not to wait', async () => {
    const server = await openServer();
    const recorded = await server.submit('a', submissionOf('p', ['4', '5']), '?heartbeat=15');
    expect([recorded.status, recorded.text.startsWith('{')]).toEqual([202, true]);
    await server.submit('b', submissionOf('p', ['5', '5']));
    const decided = await server.submit('a', submissionOf('p', ['4', '5']), '?wait=9&heartbeat=15');
    expect([decided.status, decided.text.startsWith('{')]).toEqual([200, true]);
    const refused = await server.submit('a', { groups: [] }, '?wait=9&heartbeat=15');
    expect(refused.status).toBe(422);
  });

  it('breaks the body off when the server closes or the answer is an error, never a 200 without rewards', async () => {
    const server = await openServer();
    const base = await server.listen();
    const restarted = await ask(
      server,
      base,
      submissionOf('p', ['4', '5'], { incarnation: 'i-1' }),
      '?wait=50&heartbeat=15',
    );
    await server.submit('a', submissionOf('q', ['4', '5'], { incarnation: 'i-2' }));
    await expect(restarted.text()).rejects.toThrow('terminated');

    const drained = await ask(
      server,
      base,
      submissionOf('p', ['4', '5'], { incarnation: 'i-2' }),
      '?wait=50&heartbeat=15',
    );
    const text = drained.text();
    await Promise.all([expect(text).rejects.toThrow('terminated'), server.close()]);
  });

  it('stops when its caller hangs up', async () => {
    const server = await openServer();
    const base = await server.listen();
    const caller = new AbortController();
    const reply = await fetch(`${base}/v1/cohorts/test/agents/a/rollouts?wait=50&heartbeat=15`, {
      method: 'POST',
      body: JSON.stringify(submissionOf('p', ['4', '5'])),
      headers: { 'content-type': 'application/json' },
      signal: caller.signal,
    });
    expect(await server.held()).toBe(1);
    caller.abort();
    await expect(reply.text()).rejects.toThrow();
    await server.untilHeld(0);
    await server.advance(60_000);
  });

  it.each(['0', '0.5', 'x', '3601'])('refuses %s', async (seconds) => {
    const server = await openServer();
    const reply = await server.submit('a', submissionOf('p', ['4', '5']), `?heartbeat=${seconds}`);
    expect(reply.body).toMatchObject({ status: 422, code: 'invalid_request' });
  });
});
