import { describe, expect, it } from 'vitest';
import { DEFAULT_METHOD_OPTIONS, type JudgeRules } from '../../src/domain/method-options.ts';
import { answers, FakeEndpoint, hangs, says } from '../support/fake-endpoint.ts';
import { settleDown, until } from '../support/service.ts';
import { openServer, type TestServerOptions } from './test-server.ts';

async function open(rules: Partial<JudgeRules> = {}, judge: Partial<TestServerOptions['judge']> = {}, k = 2) {
  const endpoint = await FakeEndpoint.start();
  const judged = { ...DEFAULT_METHOD_OPTIONS.judge, ...rules };
  const server = await openServer({
    method: 'llm-judge',
    k,
    options: { ...DEFAULT_METHOD_OPTIONS, judge: judged },
    judge: { url: endpoint.url, concurrency: 4, ...judge },
  });
  return { endpoint, server };
}

/** The completion that a question shows. */
const completionOf = (prompt: string) => /COMPLETION\]\n(.*)\n\[\S+ END OF COMPLETION/s.exec(prompt)?.[1];

const group = (completions: readonly string[], more: object = {}) => ({
  groups: [
    {
      prompt_id: 'p',
      ...more,
      rollouts: completions.map((completion, index) => ({ id: `r${index}`, index, completion })),
    },
  ],
});

describe('a cohort whose rollouts a language model judges', () => {
  it('pays the scores, waits for no peer, and gives no reward where the judge failed', async () => {
    const { endpoint, server } = await open();
    endpoint.otherwise((response, asked) => {
      const behaviour = completionOf(asked.prompt) === 'good' ? says('{"score": 0.75}') : says('no idea');
      behaviour(response, asked);
    });
    const { body, status, text } = await server.submit('a', group(['good', 'bad']));
    expect(status).toBe(200);
    expect(body.groups[0]).toMatchObject({ status: 'scored', reward_source: 'judge', rewards: [0.75, null] });
    expect(text).toContain("The judge's last line is not");
  });

  it('shows the judge the problem, and the truth only where the cohort says so', async () => {
    const told = await open({ tellTruth: true, question: 'verdict' });
    told.endpoint.otherwise(says('Verdict: yes'));
    const sent = group(['x'], { problem: 'What is 6 times 7?', ground_truth: 'TRUTH-42' });
    const { body } = await told.server.submit('a', sent);
    expect(body.groups[0]).toMatchObject({ reward_source: 'ground-truth', rewards: [1] });
    expect(told.endpoint.asked[0]?.prompt).toContain('What is 6 times 7?');
    expect(told.endpoint.asked[0]?.prompt).toContain('TRUTH-42');
    const without = await told.server.submit('a', group(['x']));
    expect(without.body.code).toBe('ground_truth_required');

    const { endpoint, server } = await open();
    await server.submit('a', sent);
    expect(endpoint.asked).toHaveLength(1);
    expect(JSON.stringify(endpoint.asked[0]?.body)).not.toContain('TRUTH-42');
  });

  it.each([
    [
      'OpenRLHF',
      '/openrlhf/test/a',
      {
        query: ['<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\nx'],
        prompts: ['<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n'],
        labels: ['4'],
      },
    ],
    ['slime', '/slime/test/a', { prompt: 'Why?', response: 'x', label: '4' }],
  ])('takes the problem from what %s sends', async (_, path, payload) => {
    const { endpoint, server } = await open();
    const { status } = await server.send('POST', path, payload);
    expect(status).toBe(200);
    expect(endpoint.asked[0]?.prompt).toMatch(/PROBLEM\]\nWhy\?\n\[/);
    expect(completionOf(endpoint.asked[0]?.prompt ?? '')).toBe('x');
  });

  const openRlhf = (responses: readonly string[]) => ({
    query: responses.map((response) => `Why?${response}`),
    prompts: responses.map(() => 'Why?'),
    labels: responses.map(() => '4'),
  });

  it.each([
    ['group-mean', 0.5],
    ['zero', 0],
  ] as const)(
    'asks a trainer without null to come again while it fails, then pays by %s',
    async (onFailure, paid) => {
      const { endpoint, server } = await open({ onFailure }, {}, 3);
      endpoint.otherwise((response, asked) => {
        const completion = completionOf(asked.prompt) ?? '';
        const behaviour = completion === 'lost' ? answers(401, 'no key') : says(`Score: ${completion}`);
        behaviour(response, asked);
      });
      const sent = openRlhf(['0.25', '0.75']);
      const lost = openRlhf(['lost']);
      const busy = await server.send('POST', '/openrlhf/test/a', lost);
      expect([busy.status, busy.body.code]).toEqual([503, 'judge_busy']);
      const slime = { prompt: 'Why?', response: 'lost', label: '4' };
      expect((await server.send('POST', '/slime/test/a', slime)).status).toBe(503);
      expect((await server.get('/v1/cohorts/test/buckets?limit=5')).body.open_buckets).toBe(0);
      await server.advance(60_000);
      const judged = await server.send('POST', '/openrlhf/test/a', { ...sent });
      expect(judged.body.rewards).toEqual([0.25, 0.75]);
      const given = await server.send('POST', '/openrlhf/test/a', lost);
      expect(given.status).toBe(200);
      expect(given.body).toMatchObject({ rewards: [paid], extra_logs: { unlabeled: [1] } });
    },
  );

  it('gives a rollout that holds nothing to judge no share of its group', async () => {
    const { endpoint, server } = await open({}, {}, 3);
    endpoint.otherwise(says('Score: 1'));
    const { body } = await server.send('POST', '/openrlhf/test/a', openRlhf(['x', 'y', '']));
    expect(body.rewards).toEqual([1, 1, 0]);
  });

  it('asks nothing of an eval, or of a rollout whose score is known', async () => {
    const { endpoint, server } = await open();
    await server.submit('a', { split: 'eval', ...group(['x'], { ground_truth: '4' }) });
    const rollouts = [{ index: 0, completion: 'x', score: 0.5 }];
    const { body } = await server.submit('a', { groups: [{ prompt_id: 'p', rollouts }] });
    expect(body.groups[0].rewards).toEqual([0.5]);
    expect(endpoint.asked).toEqual([]);
  });

  it('judges once what a caller that left sends again', async () => {
    const { endpoint, server } = await open();
    let answer = () => {};
    endpoint.script((response, asked) => {
      answer = () => says('Score: 0.5')(response, asked);
    });
    const base = await server.listen();
    const send = (signal: AbortSignal | null) =>
      fetch(`${base}/v1/cohorts/test/agents/a/rollouts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(group(['x'])),
        signal,
      });
    const leaving = new AbortController();
    const left = send(leaving.signal);
    await endpoint.untilAsked(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    answer();
    // Nobody waits for it, and it is stored all the same.
    await until(async () => (await server.get('/v1/cohorts/test/buckets/p')).status === 200);
    const again = await send(null);
    expect(await again.json()).toMatchObject({ groups: [{ rewards: [0.5] }] });
    expect(endpoint.asked).toHaveLength(1);
  });

  it('is answered while others wait for the judge', async () => {
    const { endpoint, server } = await open();
    endpoint.otherwise(hangs);
    const waiting = server.submit('a', group(['x']));
    await endpoint.untilAsked(1);
    expect((await server.get('/healthz')).status).toBe(200);
    await server.close();
    expect((await waiting).body.code).toBe('draining');
  });

  it('is sent away when it takes too long, with nothing stored, and is scored when it comes back', async () => {
    const { endpoint, server } = await open({}, { holdMs: 1_000 });
    let answer = () => {};
    endpoint.script((response, asked) => {
      answer = () => says('Score: 0.25')(response, asked);
    });
    const first = server.submit('a', group(['x']));
    await endpoint.untilAsked(1);
    await server.advance(1_000);
    const busy = await first;
    expect([busy.status, busy.body.code, busy.headers['retry-after']]).toEqual([503, 'judge_busy', '1']);
    expect((await server.get('/v1/cohorts/test/buckets/p')).status).toBe(404);
    answer();
    await settleDown();
    const { body } = await server.submit('a', group(['x']));
    expect(body.groups[0].rewards).toEqual([0.25]);
    expect(endpoint.asked).toHaveLength(1);
  });

  it('keeps to its own budget and to that of the server', async () => {
    const { server } = await open({ maxRequests: 1 }, { maxRequests: 5, maxTokens: 100_000 });
    const { body } = await server.submit('a', group(['x', 'y']));
    expect(body.groups[0].rewards).toEqual([1, null]);
    const { text } = await server.get('/metrics');
    expect(text).toContain('peervote_judge_budget_left{unit="requests"} 4\n');
    expect(text).toContain('peervote_judge_budget_left{unit="tokens"} 99985\n');
  });

  it('is counted: verdicts, requests, the queue', async () => {
    const { endpoint, server } = await open();
    endpoint.script(says('Score: 1'), answers(400, 'no'));
    await server.submit('a', group(['x', 'y']));
    await server.submit('a', group(['x'], { prompt_id: 'q' }));
    const { text } = await server.get('/metrics');
    const verdicts = 'peervote_judge_verdicts_total{cohort="test",source=';
    expect(text).toContain(`${verdicts}"asked",result="score"} 1\n`);
    expect(text).toContain(`${verdicts}"asked",result="fault"} 1\n`);
    expect(text).toContain(`${verdicts}"cache",result="score"} 1\n`);
    expect(text).toContain('peervote_judge_request_seconds_count{outcome="answered"} 1\n');
    expect(text).toContain('peervote_judge_request_seconds_count{outcome="rejected"} 1\n');
    expect(text).toContain('peervote_judge_queued 0\n');
    expect(text).not.toContain('peervote_judge_budget_left{');
  });
});

describe('a cohort without a judge', () => {
  it('has its series absent, and its reward null with a reason', async () => {
    const server = await openServer({ method: 'llm-judge' });
    const { body, text } = await server.submit('a', group(['x']));
    expect(body.groups[0].rewards).toEqual([null]);
    expect(text).toContain('No judge has scored it');
    expect((await server.get('/metrics')).text).not.toMatch(/^peervote_judge/m);
  });
});
