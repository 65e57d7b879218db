import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openRlhfOf, openServer, readFetched, submissionOf, type TestServer } from './test-server.ts';

const HOLD_MS = 170_000;

const open = (k: number) => openServer({ k, barrier: { deadlineMs: 840_000 } });

async function rolloutsOf(server: TestServer, agent: string) {
  const [bucket] = await server.store.readPrompt('test', 'p');
  return bucket?.groups.get(agent)?.rollouts ?? [];
}

/** A call on a socket of its own, as OpenRLHF makes them. */
function call(base: string, answer: string): ClientRequest {
  const one = request(`${base}/openrlhf/test/a`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  one.on('error', () => undefined);
  one.end(JSON.stringify(openRlhfOf(answer)));
  return one;
}

describe('an OpenRLHF rollout whose peer is late', () => {
  it('is answered 503 after the hold, never zeros and never a 4xx, and stays stored', async () => {
    const server = await open(2);
    const reply = server.reward('a', openRlhfOf('4'));
    await server.untilHeld(1);
    await server.advance(HOLD_MS);
    expect([(await reply).status, (await reply).headers['retry-after']]).toEqual([503, '1']);
    expect((await reply).body).toMatchObject({
      code: 'not_decided_yet',
      retryable: true,
      detail:
        'The rollouts are stored; b has sent 0 of 2 rollouts for prompt "p". Send the same request again.',
    });
    expect(await rolloutsOf(server, 'a')).toHaveLength(1);
  });

  it('takes its place again when the same bytes come again, five times over', async () => {
    const server = await open(2);
    for (let attempt = 0; attempt < 4; attempt++) {
      const reply = server.reward('a', openRlhfOf('4'));
      await server.untilHeld(1);
      await server.advance(HOLD_MS);
      expect((await reply).status).toBe(503);
    }
    const last = server.reward('a', openRlhfOf('4'));
    await server.untilHeld(1);
    await server.submit('b', submissionOf('p', ['4', '4']));
    expect((await last).body.rewards).toEqual([1]);
    expect(await rolloutsOf(server, 'a')).toHaveLength(1);
  });

  it('is answered 503 at once where too many are held, and the retry takes its place', async () => {
    const server = await openServer({ k: 2, limits: { heldRequests: 1 } });
    const held = server.reward('a', openRlhfOf('4'));
    await server.untilHeld(1);
    for (let attempt = 0; attempt < 3; attempt++) {
      const crowded = await server.reward('a', openRlhfOf('4'));
      expect(crowded.body).toMatchObject({ status: 503, code: 'too_many_held_requests', retryable: true });
    }
    expect(await rolloutsOf(server, 'a')).toHaveLength(2);
    await server.submit('b', submissionOf('p', ['4', '4']));
    expect((await held).body.rewards).toEqual([1]);
    expect((await server.reward('a', openRlhfOf('4'))).body.rewards).toEqual([1]);
    expect(await rolloutsOf(server, 'a')).toHaveLength(2);
  });
});

describe('a caller that gives up on its socket and sends the same bytes again', () => {
  it('leaves K votes, not more, though several rollouts have the same text', async () => {
    const server = await open(4);
    const base = await server.listen();
    const answers = ['4', '4', '4', '5'];
    let calls = answers.map((answer) => call(base, answer));
    await server.untilHeld(4);
    // All of them give up and come again, then only some.
    for (const count of [4, 2, 3]) {
      for (const one of calls.slice(0, count)) one.destroy();
      await server.untilHeld(4 - count);
      calls = [...answers.slice(0, count).map((answer) => call(base, answer)), ...calls.slice(count)];
      await server.untilHeld(4);
    }
    const rollouts = await rolloutsOf(server, 'a');
    expect([rollouts.length, rollouts.filter(({ late }) => late).length]).toEqual([4, 0]);

    const replies = calls.map(async (one) => {
      const [reply] = await once(one, 'response');
      const chunks: Buffer[] = await reply.toArray();
      return JSON.parse(Buffer.concat(chunks).toString()).rewards[0];
    });
    await server.submit('b', submissionOf('p', ['4', '4', '4', '4']));
    expect(await Promise.all(replies)).toEqual([1, 1, 1, 0]);
  });

  it('gets the reward that was decided while it was away', async () => {
    const server = await open(2);
    const base = await server.listen();
    const first = call(base, '4');
    await server.untilHeld(1);
    first.destroy();
    await server.untilHeld(0);
    await server.submit('b', submissionOf('p', ['4', '4']));
    const retry = await fetch(`${base}/openrlhf/test/a`, {
      method: 'POST',
      body: JSON.stringify(openRlhfOf('4')),
      headers: { 'content-type': 'application/json' },
    });
    expect((await readFetched(retry)).body.rewards).toEqual([1]);
    expect(await rolloutsOf(server, 'a')).toHaveLength(1);
  });

  it('and two callers that stay are two votes', async () => {
    const server = await open(2);
    const base = await server.listen();
    const calls = [call(base, '4'), call(base, '4')];
    await server.untilHeld(2);
    expect(await rolloutsOf(server, 'a')).toHaveLength(2);
    for (const one of calls) one.destroy();
    await server.untilHeld(0);
  });
});
