import { describe, expect, it } from 'vitest';
import { openServer, type Reply, submissionOf, type TestServer } from './test-server.ts';

const HOLD_MS = 110_000;

const slimeOf = (answer: string, label: unknown = '{"pid":"p"}') => ({
  prompt: '2+2?',
  response: answer,
  label,
});

const ask = (server: TestServer, body: unknown, query = '', agent = 'a'): Promise<Reply> =>
  server.send('POST', `/slime/test/${agent}${query}`, body);

const patient = { barrier: { deadlineMs: 840_000 } };

async function rolloutsOf(server: TestServer) {
  const [bucket] = await server.store.readPrompt('test', 'p');
  return bucket?.groups.get('a')?.rollouts ?? [];
}

describe('POST /slime', () => {
  it('answers a bare JSON float', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const right = await ask(server, slimeOf('4'));
    expect([right.status, right.headers['content-type'], right.text]).toEqual([
      200,
      'application/json; charset=utf-8',
      '1.0',
    ]);
    expect((await ask(server, slimeOf('5<|im_end|>\n'))).text).toBe('0.0');
  });

  it('answers an object with floats and the same keys where the URL asks for it', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const reply = await ask(server, slimeOf('4', { pid: 'p', answer: '4' }), '?format=object');
    expect(reply.text).toBe(
      '{"score":1.0,"status":"scored","metrics":{"answered":1.0,"label_share":1.0,"truth_given":1.0,"truth_match":1.0,"barrier_wait_s":0.0,"staleness":0.0,"late":0.0}}',
    );
    const graded = await ask(server, slimeOf('4', { split: 'test', answer: '5' }), '?format=object');
    expect(graded.body).toMatchObject({ score: 0, status: 'eval' });
  });

  it('pays 0.0 where the cohort pays null, which slime cannot read', async () => {
    const server = await openServer({ unlabeledReward: null, vote: { tie: 'discard' } });
    await server.submit('b', submissionOf('p', ['4', '5']));
    expect((await ask(server, slimeOf('4'))).text).toBe('0.0');
  });

  it('holds a rollout until the peer is there, at most 110 s, then 503 with the rollout kept', async () => {
    const server = await openServer(patient);
    const first = ask(server, slimeOf('4'));
    await server.untilHeld(1);
    await server.advance(HOLD_MS);
    expect((await first).body).toMatchObject({ status: 503, code: 'not_decided_yet', retryable: true });
    expect((await first).headers['retry-after']).toBe('1');
    const again = ask(server, slimeOf('4'));
    await server.untilHeld(1);
    await server.submit('b', submissionOf('p', ['4', '4']));
    expect((await again).text).toBe('1.0');
    expect(await rolloutsOf(server)).toHaveLength(1);
  });

  it('holds 48 of an agent, records and sheds the others at first sight, and lets none vote twice', async () => {
    const server = await openServer({ ...patient, k: 64, limits: { heldRequests: 1_000 } });
    const answers = Array.from({ length: 64 }, (_, i) => String(i));
    const calls = answers.map((answer) => ask(server, slimeOf(answer)));
    await server.untilHeld(48);
    const shed = await Promise.all(calls.slice(48));
    const held = await Promise.all(calls.slice(0, 48).map((call) => Promise.race([call, null])));
    expect(held).toEqual(held.map(() => null));
    for (const { body, headers } of shed) {
      expect([body.status, body.code, headers['retry-after']]).toEqual([503, 'too_many_held_requests', '1']);
    }
    // The retries of those shed are shed again, and stay one rollout each.
    await server.advance(1_000);
    for (const answer of answers.slice(48)) expect((await ask(server, slimeOf(answer))).status).toBe(503);
    expect(await rolloutsOf(server)).toHaveLength(64);
    await server.submit(
      'b',
      submissionOf(
        'p',
        Array.from({ length: 64 }, () => '7'),
      ),
    );
    await server.advance(2_000);
    const late = await Promise.all(answers.slice(48).map((answer) => ask(server, slimeOf(answer))));
    expect(late.every(({ text }) => text === '0.0')).toBe(true);
    expect((await Promise.all(calls)).filter(({ text }) => text === '1.0')).toHaveLength(1);
    expect(await rolloutsOf(server)).toHaveLength(64);
  });

  it('tells equal texts that it sheds seconds apart by how often they come', async () => {
    const server = await openServer({ ...patient, k: 8, server: { slimeHeldPerAgent: 1 } });
    const held = ask(server, slimeOf('5'));
    await server.untilHeld(1);
    // Eight that start over three seconds, each with slime's pauses and half a second of chance.
    const starts = [0, 400, 900, 1_300, 1_900, 2_200, 2_700, 3_000];
    const tries = starts.flatMap((start) => [0, 1_500, 4_000, 8_500].map((after) => start + after));
    let now = 0;
    for (const at of tries.sort((a, b) => a - b)) {
      await server.advance(at - now);
      now = at;
      expect((await ask(server, slimeOf('4', '{"pid":"q"}'))).status).toBe(503);
    }
    const [bucket] = await server.store.readPrompt('test', 'q');
    expect(bucket?.groups.get('a')).toMatchObject({ state: 'complete', rollouts: { length: 8 } });
    await server.send('POST', '/v1/cohorts/test/agents/b/skip', { prompts: [{ prompt_id: 'p' }] });
    await held;
  });

  it('takes equal texts that it sheds for as many rollouts, until a retry can be back', async () => {
    const server = await openServer({ ...patient, k: 8, server: { slimeHeldPerAgent: 1 } });
    const held = ask(server, slimeOf('5'));
    await server.untilHeld(1);
    for (let i = 0; i < 3; i++) expect((await ask(server, slimeOf('4'))).status).toBe(503);
    expect(await rolloutsOf(server)).toHaveLength(4);
    // All three come again, and take their places.
    await server.advance(1_000);
    for (let i = 0; i < 3; i++) expect((await ask(server, slimeOf('4'))).status).toBe(503);
    expect(await rolloutsOf(server)).toHaveLength(4);
    await server.submit(
      'b',
      submissionOf(
        'p',
        Array.from({ length: 2 }, () => '5'),
        {},
      ),
    );
    await server.send('POST', '/v1/cohorts/test/agents/b/skip', { prompts: [{ prompt_id: 'p' }] });
    expect((await held).text).toBe('1.0');
  });

  it('counts what it holds for each agent alone', async () => {
    const server = await openServer({ ...patient, server: { slimeHeldPerAgent: 1 } });
    const a = ask(server, slimeOf('4'));
    await server.untilHeld(1);
    const b = ask(server, slimeOf('4'), '', 'b');
    await server.untilHeld(2);
    expect((await ask(server, slimeOf('5'))).status).toBe(503);
    await server.advance(HOLD_MS);
    await Promise.all([a, b]);
    const next = ask(server, slimeOf('4'));
    await server.untilHeld(1);
    await server.advance(HOLD_MS);
    expect((await next).body.code).toBe('not_decided_yet');
  });

  it('takes messages for a prompt, and their user text for its name', async () => {
    const server = await openServer({ k: 1 });
    const messages = [
      { role: 'system', content: 'You are a mathematician.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '2+2' },
          { type: 'audio', audio: 'x' },
          { type: 'text', text: '?' },
        ],
      },
    ];
    const a = ask(server, { prompt: messages, response: '4', label: '4' });
    await server.untilHeld(1);
    const b = await ask(
      server,
      { prompt: '<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n', response: '4', label: '4' },
      '',
      'b',
    );
    expect([(await a).text, b.text]).toEqual(['1.0', '1.0']);
  });

  it.each([
    ['no response', { prompt: 'p' }, /^body: response: /],
    ['a label that is no JSON', slimeOf('4', "{'pid': 1}"), /^label: .*json\.dumps/],
  ])('refuses %s, and says what to send', async (_what, body, detail) => {
    const server = await openServer();
    const reply = await ask(server, body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_request']);
    expect(reply.body.detail).toMatch(detail);
  });
});
