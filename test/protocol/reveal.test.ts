import { describe, expect, it } from 'vitest';
import type { CohortOverrides } from '../support/builders.ts';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

const TOKEN = {
  admin: 'token-of-the-admin',
  reader: 'token-of-a-reader-1',
  a: 'token-of-agent-a-01',
  b: 'token-of-agent-b-01',
} as const;
const TOKENS = JSON.stringify({
  admin: TOKEN.admin,
  read: TOKEN.reader,
  agents: { 'test/a': TOKEN.a, 'test/b': TOKEN.b },
});
const SECRET = '1234';

const open = (overrides: CohortOverrides = {}) =>
  openServer({ k: 4, server: { tokens: TOKENS }, answers: { mode: 'boxed', pattern: null }, ...overrides });

/** Completions are kept within a second. */
async function ask(server: TestServer, who: keyof typeof TOKEN, url: string) {
  await server.advance(1_000);
  return server.send('GET', `/v1/cohorts/test${url}`, undefined, { authorization: `Bearer ${TOKEN[who]}` });
}

function send(server: TestServer, agent: 'a' | 'b', answers: readonly string[], from = 0, more: object = {}) {
  const rollouts = answers.map((answer, at) => ({
    index: from + at,
    completion: `secret thoughts of ${agent}: \\boxed{${answer}}`,
  }));
  return server.send(
    'POST',
    `/v1/cohorts/test/agents/${agent}/rollouts?wait=0`,
    { groups: [{ prompt_id: 'p', rollouts, ...more }] },
    { authorization: `Bearer ${TOKEN[agent]}` },
  );
}

const LOOKS = ['/buckets/p', '/buckets', '/samples', '/recent', '', '/diagnostics'];

describe('an agent that has not sent all its rollouts', () => {
  it.each(LOOKS)('reads nothing of its teacher from GET %s', async (url) => {
    const server = await open();
    await send(server, 'b', Array(4).fill(SECRET), 0, { ground_truth: SECRET });
    for (const sent of [0, 1, 2, 3]) {
      if (sent > 0) await send(server, 'a', ['0'], sent - 1);
      const { text } = await ask(server, 'a', url);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('thoughts of b');
    }
  });

  it('is paid, and not told the label', async () => {
    const server = await open();
    await send(server, 'b', Array(4).fill(SECRET));
    const first = await send(server, 'a', ['0']);
    expect(first.body.groups[0]).toMatchObject({ status: 'scored', label: null, rewards: [0] });
    expect(first.text).not.toContain(SECRET);
    const rest = await send(server, 'a', [SECRET, '1', '2'], 1);
    expect(rest.body.groups[0]).toMatchObject({ label: SECRET, rewards: [1, 0, 0] });
  });

  it('learns no more by skipping the prompt, or by leaving', async () => {
    for (const way of ['skip', 'finish']) {
      const server = await open();
      await send(server, 'b', Array(4).fill(SECRET), 0, { ground_truth: SECRET });
      await send(server, 'a', ['0']);
      const body = way === 'skip' ? { prompts: [{ prompt_id: 'p' }] } : {};
      const headers = { authorization: `Bearer ${TOKEN.a}` };
      await server.send('POST', `/v1/cohorts/test/agents/a/${way}`, body, headers);
      expect((await ask(server, 'a', '/buckets/p')).text).not.toContain(SECRET);
    }
  });

  it('sees its own answers, and how far the others are', async () => {
    const server = await open();
    await send(server, 'b', Array(4).fill(SECRET));
    await send(server, 'a', ['7']);
    const { body } = await ask(server, 'a', '/buckets/p');
    expect(body.rounds[0]).toMatchObject({ veiled: true, ground_truth: null });
    const [own, other] = body.rounds[0].groups;
    expect(own).toMatchObject({ agent: 'a', label: null, rollouts: [{ answer: '7' }] });
    expect(other).toMatchObject({
      agent: 'b',
      state: 'complete',
      own_label: null,
      clusters: [],
      rollouts: [],
    });
    expect(body.samples.map(({ agent }: { agent: string }) => agent)).toEqual(['a']);
  });

  it('is shown everything where the cohort says so', async () => {
    const server = await open({ reveal: 'always' });
    await send(server, 'b', Array(4).fill(SECRET));
    expect((await send(server, 'a', ['0'])).body.groups[0].label).toBe(SECRET);
    expect((await ask(server, 'a', '/buckets/p')).text).toContain('thoughts of b');
  });
});

describe('what others did', () => {
  it('is shown to an agent whose rollouts are all in', async () => {
    const server = await open();
    await send(server, 'b', Array(4).fill(SECRET), 0, { ground_truth: SECRET });
    await send(server, 'a', ['0', '1', '2', '3']);
    const { body, text } = await ask(server, 'a', '/buckets/p');
    expect(body.rounds[0]).toMatchObject({ veiled: false, ground_truth: SECRET });
    expect(text).toContain('thoughts of b');
  });

  it.each(['reader', 'admin'] as const)('is shown to a token of kind %s at any time', async (who) => {
    const server = await open();
    await send(server, 'b', Array(4).fill(SECRET), 0, { ground_truth: SECRET });
    expect((await ask(server, who, '/buckets/p')).body.rounds[0]).toMatchObject({ veiled: false });
    expect((await ask(server, who, '/samples')).body.prompts).toHaveLength(1);
  });
});

describe('a false ground truth that comes first', () => {
  it('keeps no peer out, and both truths are shown and counted', async () => {
    const server = await openServer({ k: 2 });
    const sent = (truth: string) => ({ ...submissionOf('p', ['4', '5']).groups[0], ground_truth: truth });
    await server.submit('a', { groups: [sent('9')] });
    const { status, body } = await server.submit('b', { groups: [sent('4')] });
    expect([status, body.groups[0].rewards]).toEqual([200, [1, 0]]);
    const { rounds } = (await server.get('/v1/cohorts/test/buckets/p')).body;
    expect(rounds).toMatchObject([{ ground_truth: '9', disputed_by: '4' }]);
    expect((await server.get('/metrics')).text).toContain(
      'peervote_ground_truth_conflicts_total{cohort="test",agent="b"} 1',
    );
  });
});

describe('rounds of one prompt', () => {
  it('are kept up to a number, and thousands in one request cost no more than as many prompts', async () => {
    const server = await openServer({ limits: { openBuckets: 10_000 } });
    const cost = async (name: (at: number) => object) => {
      const groups = Array.from({ length: 4_000 }, (_, at) => ({
        ...name(at),
        rollouts: [{ index: 0, answer: '1' }],
      }));
      const start = process.cpuUsage();
      await server.submit('a', { groups });
      const { user } = process.cpuUsage(start);
      return user;
    };
    const prompts = await cost((at) => ({ prompt_id: `p${at}` }));
    expect(await cost((round) => ({ prompt_id: 'p', round }))).toBeLessThan(5 * prompts);
  });
});
