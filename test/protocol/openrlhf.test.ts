import { describe, expect, it } from 'vitest';
import { openRlhfOf, openServer, type Reply, submissionOf, type TestServer } from './test-server.ts';

const LOG_KEYS = [
  'labeled',
  'unlabeled',
  'expired',
  'skipped',
  'eval',
  'answered',
  'label_share',
  'truth_given',
  'truth_match',
  'barrier_wait_s',
  'staleness',
  'late',
  'co_labeling/peer_agreement',
  'co_labeling/labeled_fraction_peer',
  'co_labeling/both_labeled_fraction',
  'co_labeling/labeled_fraction_me',
  'co_labeling/oracle_accuracy_me',
  'co_labeling/supervision_fraction',
  'co_labeling/peer_tie_rate',
  'co_labeling/unanimous_rate',
  'co_labeling/supervision_contains_truth',
  'co_labeling/rendezvous_wait_seconds',
];

/** Every number of the reply is written as a float. */
function expectFloats({ text }: Reply): void {
  expect(text.replaceAll(/"[^"]*"/g, '')).not.toMatch(/(?<![\d.])-?\d+(?![\d.])/);
}

/** Answers of the teacher, one call each, as OpenRLHF sends them. */
async function teach(server: TestServer, answers: readonly string[], label: unknown = '{"pid":"p"}') {
  const calls = answers.map((answer) => server.reward('b', openRlhfOf(answer, label)));
  await server.untilHeld(answers.length);
  return calls;
}

describe('POST /openrlhf', () => {
  it('holds each rollout until the peer is there and answers it with one-element lists of floats', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const reply = await server.reward('a', openRlhfOf('4', { pid: 'p', answer: '4' }));
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(reply.text).toBe(
      '{"rewards":[1.0],"scores":[1.0],"extra_logs":{"labeled":[1.0],"unlabeled":[0.0],"expired":[0.0],"skipped":[0.0],' +
        '"eval":[0.0],"answered":[1.0],"label_share":[1.0],"truth_given":[1.0],"truth_match":[1.0],"barrier_wait_s":[0.0],' +
        '"staleness":[0.0],"late":[0.0],"co_labeling/peer_agreement":[1.0],"co_labeling/labeled_fraction_peer":[1.0],' +
        '"co_labeling/both_labeled_fraction":[1.0],"co_labeling/labeled_fraction_me":[1.0],"co_labeling/oracle_accuracy_me":[1.0],' +
        '"co_labeling/supervision_fraction":[1.0],"co_labeling/peer_tie_rate":[0.0],"co_labeling/unanimous_rate":[1.0],' +
        '"co_labeling/supervision_contains_truth":[1.0],"co_labeling/rendezvous_wait_seconds":[0.0]}}',
    );
  });

  it('lets two trainers that know nothing but a URL teach each other', async () => {
    const server = await openServer({ k: 3 });
    const b = await teach(server, ['4', '4', '5']);
    const a = ['4', '5', '6'].map((answer) => server.reward('a', openRlhfOf(answer)));
    const rewards = async (calls: readonly Promise<Reply>[]) =>
      (await Promise.all(calls)).map(({ body }) => body.rewards);
    expect(await rewards(a)).toEqual([[1], [0], [0]]);
    // Agent a tied 4, 5 and 6: without indices it is the hash that decides, not who came first.
    const [round] = (await server.get('/v1/cohorts/test/buckets/p')).body.rounds;
    const label: string = round.groups.find(({ agent }: { agent: string }) => agent === 'a').own_label;
    expect(await rewards(b)).toEqual(['4', '4', '5'].map((answer) => [answer === label ? 1 : 0]));
  });

  it.each([
    ['lists', { query: [], prompts: [], labels: [] }],
    ['lists without labels', { query: [], prompts: [] }],
  ])('answers empty %s at once', async (_what, body) => {
    const server = await openServer();
    const reply = await server.reward('a', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      rewards: [],
      scores: [],
      extra_logs: Object.fromEntries(LOG_KEYS.map((key) => [key, []])),
    });
  });

  it('takes a whole batch and keeps its order', async () => {
    const server = await openServer({ k: 2 });
    await server.submit('b', {
      groups: [submissionOf('p', ['4', '4']).groups[0], submissionOf('q', ['5', '5']).groups[0]],
    });
    const items = [
      ['q', '5'],
      ['p', '5'],
      ['p', '4'],
      ['q', '5'],
    ].map(([pid, answer]) => openRlhfOf(answer ?? '', { pid }));
    const reply = await server.reward('a', {
      query: items.flatMap(({ query }) => query),
      prompts: items.flatMap(({ prompts }) => prompts),
      labels: items.flatMap(({ labels }) => labels),
    });
    expect(reply.body.rewards).toEqual([1, 0, 1, 1]);
    expect((await server.store.readPrompt('test', 'q'))[0]?.groups.get('a')?.rollouts).toHaveLength(2);
  });

  it('has the same keys and floats in every outcome', async () => {
    const server = await openServer({
      vote: { tie: 'discard' },
      barrier: { deadlineMs: 60_000 },
      unlabeledReward: null,
    });
    await server.submit('b', submissionOf('scored', ['4', '4']));
    await server.submit('b', submissionOf('unlabeled', ['4', '5']));
    await server.send('POST', '/v1/cohorts/test/agents/b/skip', { prompts: [{ prompt_id: 'skipped' }] });
    await server.submit('a', submissionOf('expired', ['4']));
    await server.advance(60_000);
    for (const outcome of ['scored', 'unlabeled', 'skipped', 'expired', 'eval']) {
      const label = { pid: outcome, split: outcome === 'eval' ? 'test' : 'train' };
      const reply = await server.reward('a', openRlhfOf('4', label));
      expect(Object.keys(reply.body)).toEqual(['rewards', 'scores', 'extra_logs']);
      expect(Object.keys(reply.body.extra_logs)).toEqual(LOG_KEYS);
      expectFloats(reply);
      expect(reply.body.rewards).toEqual([outcome === 'scored' ? 1 : 0]);
      expect(reply.body.extra_logs).toMatchObject({ [outcome === 'scored' ? 'labeled' : outcome]: [1] });
    }
  });

  it('grades eval by its label or its URL, without waiting and in any number', async () => {
    const server = await openServer({ k: 1 });
    for (const [label, query] of [
      ['{"pid":"p","split":"eval","answer":"4"}', ''],
      ['4', '?split=validation'],
    ] as const) {
      const replies = await Promise.all(
        ['4', '5', '4', '4'].map((answer) => server.reward('a', openRlhfOf(answer, label), query)),
      );
      expect(replies.map(({ body }) => body.rewards[0])).toEqual([1, 0, 1, 1]);
      expect(replies.map(({ body }) => body.extra_logs.eval[0])).toEqual([1, 1, 1, 1]);
    }
    expect(await server.store.countOpenBuckets('test')).toBe(0);
  });

  it('pays an agent of role teacher 0.0', async () => {
    const server = await openServer({ agents: ['a', { name: 'b', role: 'teacher' }] });
    const reply = await server.reward('b', openRlhfOf('4'));
    expect(reply.text).toMatch(/^\{"rewards":\[0\.0\],"scores":\[0\.0\]/);
  });

  it('takes the prompt id from the text where no label has one, the same for every chat template', async () => {
    const server = await openServer({ k: 1 });
    const qwen =
      '<|im_start|>system\nYou are a mathematician.<|im_end|>\n<|im_start|>user\nWhat is 2+2?<|im_end|>\n<|im_start|>assistant\n';
    const llama =
      '<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nWhat is 2+2?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n';
    const first = server.reward('a', openRlhfOf('4<|im_end|>', '4', qwen));
    await server.untilHeld(1);
    const second = await server.reward('b', openRlhfOf('4<|eot_id|>', '4.0', llama));
    expect([(await first).body.rewards, second.body.rewards]).toEqual([[1], [1]]);
  });

  it('never takes the answer from the prompt', async () => {
    const server = await openServer({ k: 1, answers: { mode: 'boxed', pattern: null } });
    const prompt = 'Put your answer in \\boxed{4}.';
    const rollout = (query: string) => ({ query: [query], prompts: [prompt], labels: ['{"pid":"p"}'] });
    await server.submit('b', submissionOf('p', ['4']));
    const readable = await server.reward('a', rollout(`${prompt} It is \\boxed{5}.`));
    expect(readable.body.extra_logs).toMatchObject({ answered: [1], labeled: [1] });
    expect(readable.body.rewards).toEqual([0]);
    const other = await openServer({ k: 1, answers: { mode: 'boxed', pattern: null } });
    await other.submit('b', submissionOf('p', ['4']));
    const cut = await other.reward('a', rollout('in \\boxed{4}. I do not know.'));
    expect([cut.body.rewards, cut.body.extra_logs.answered]).toEqual([[0], [0]]);
  });

  it.each([
    ['lists of different lengths', { query: ['a'], prompts: [], labels: [] }, /^body: prompts: /],
    ['a label that is no JSON', openRlhfOf('4', '{"pid": NaN}'), /^labels\[0\]: .*json\.dumps/],
    ['a prompt id that is no text', openRlhfOf('4', { pid: [1] }), /^labels\[0\]: /],
  ])('refuses %s, and says what to send', async (_what, body, detail) => {
    const server = await openServer();
    const reply = await server.reward('a', body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_request']);
    expect(reply.body.detail).toMatch(detail);
  });

  it('knows restarts by the incarnation in its URL', async () => {
    const server = await openServer();
    const old = server.reward('a', openRlhfOf('4'), '?inc=i-1');
    await server.untilHeld(1);
    const young = server.reward('a', openRlhfOf('5'), '?incarnation=i-2');
    expect((await old).body).toMatchObject({ status: 409, code: 'stale_incarnation' });
    await server.submit('b', submissionOf('p', ['5', '5']));
    expect((await young).body.rewards).toEqual([1]);
  });

  it('takes round and step from the label before the URL', async () => {
    const server = await openServer({ k: 1 });
    const call = server.reward('a', openRlhfOf('4', '{"pid":"p","round":7}'), '?round=3&step=9');
    await server.untilHeld(1);
    const [bucket] = await server.store.readPrompt('test', 'p');
    expect([bucket?.round, bucket?.groups.get('a')?.step]).toEqual([7, 9]);
    await server.submit('b', submissionOf('p', ['4']));
    await call;
  });
});
