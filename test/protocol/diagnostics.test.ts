import { describe, expect, it } from 'vitest';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

interface Sent {
  readonly prompt: string;
  readonly step?: number;
  readonly truth?: string;
  readonly answers: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Every agent sends its group of each prompt. */
async function run(server: TestServer, sent: readonly Sent[]): Promise<void> {
  for (const { prompt, step, truth, answers } of sent) {
    for (const [agent, list] of Object.entries(answers)) {
      const rollouts = list.map((answer, index) => ({
        index,
        answer,
        tokens: 10 * (index + 1),
        truncated: index === 1,
      }));
      await server.submit(agent, { step, groups: [{ prompt_id: prompt, ground_truth: truth, rollouts }] });
    }
  }
}

const THREE_STEPS: readonly Sent[] = [
  { prompt: 'p', step: 0, truth: '4', answers: { a: ['4', '5'], b: ['4', '4'] } },
  { prompt: 'q', step: 1, truth: '7', answers: { a: ['7', '7'], b: ['8', '8'] } },
  { prompt: 'r', step: 2, answers: { a: [null, null], b: ['9', '9'] } },
];

const URL = '/v1/cohorts/test/diagnostics';

/** One series of an agent, or of the pair, by its name. */
const seriesOf = (body: ReturnType<typeof JSON.parse>, name: string, agent?: string) => {
  const list = agent === undefined ? body.pairs : body.agents;
  const found = list.find((entry: { agent: string }) => agent === undefined || entry.agent === agent);
  return found.series[name];
};

describe('GET /v1/cohorts/{cohort}/diagnostics', () => {
  it('gives figures by step with what they are taken of, null where that is nothing', async () => {
    const server = await openServer();
    await run(server, THREE_STEPS);
    const { status, body } = await server.get(URL);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      cohort: 'test',
      method: 'co-rl',
      window: 1,
      steps: [0, 1, 2],
      first_steps: [0, 1, 2],
      merged_steps: [1, 1, 1],
      earlier_steps: 0,
    });
    expect(seriesOf(body, 'reward_mean', 'a')).toEqual({ value: [0.5, 0, 0], denominator: [2, 2, 2] });
    expect(seriesOf(body, 'label_coverage', 'a')).toEqual({ value: [1, 1, 0], denominator: [1, 1, 1] });
    expect(seriesOf(body, 'label_accuracy', 'a')).toEqual({ value: [1, 1, null], denominator: [1, 1, 0] });
    expect(seriesOf(body, 'label_accuracy', 'b')).toEqual({ value: [1, 0, null], denominator: [1, 1, 0] });
    expect(seriesOf(body, 'completions/max_length', 'b').value).toEqual([20, 20, 20]);
    expect(seriesOf(body, 'completions/clipped_ratio', 'b').value).toEqual([0.5, 0.5, 0.5]);
    expect(seriesOf(body, 'co_labeling/oracle_accuracy_me', 'b').value).toEqual([1, 0, 0]);
    expect(seriesOf(body, 'agreement')).toEqual({ value: [1, 0, null], denominator: [1, 1, 0] });
    expect(seriesOf(body, 'label_complementarity')).toEqual({
      value: [0, 1, null],
      denominator: [1, 1, 0],
    });
    expect(seriesOf(body, 'complementarity_bound').value).toEqual([0, 1, 1]);
  });

  it('gives them over all steps, and by pair as matrices with an empty diagonal', async () => {
    const server = await openServer();
    await run(server, THREE_STEPS);
    const { body } = await server.get(URL);
    expect(body.agents[0].overall.reward_mean).toEqual({ value: 1 / 6, numerator: 1, denominator: 6 });
    expect(body.matrices).toMatchObject({
      agents: ['a', 'b'],
      agreement: {
        value: [
          [null, 0.5],
          [0.5, null],
        ],
        denominator: [
          [0, 2],
          [2, 0],
        ],
      },
      label_complementarity: {
        value: [
          [null, 0.5],
          [0.5, null],
        ],
      },
    });
  });

  it('merges a window of steps, counted from the start of the range', async () => {
    const server = await openServer();
    await run(server, THREE_STEPS);
    const { body } = await server.get(`${URL}?window=2`);
    expect([body.first_steps, body.steps, body.merged_steps]).toEqual([
      [0, 2],
      [1, 2],
      [2, 1],
    ]);
    expect(seriesOf(body, 'reward_mean', 'a')).toEqual({ value: [0.25, 0], denominator: [4, 2] });
    const later = await server.get(`${URL}?window=2&from=1`);
    expect([later.body.first_steps, later.body.steps]).toEqual([[1], [2]]);
  });

  it('leaves the oldest points out where not all are wanted, whole windows of them', async () => {
    const server = await openServer();
    const sent = Array.from({ length: 7 }, (_, step) => ({
      prompt: `p${step}`,
      step,
      answers: { a: ['4', '4'], b: ['4', '4'] },
    }));
    await run(server, sent);
    const { body } = await server.get(`${URL}?window=2&limit=2`);
    expect([body.first_steps, body.merged_steps, body.earlier_steps]).toEqual([[4, 6], [2, 1], 4]);
    const range = await server.get(`${URL}?from=2&to=4`);
    expect(range.body.steps).toEqual([2, 3, 4]);
  });

  it('gives the figures that are named, of agents, pairs and the reference', async () => {
    const server = await openServer();
    await run(server, THREE_STEPS);
    const names = 'reward_mean, agreement,co_labeling/peer_agreement';
    const { body } = await server.get(`${URL}?metrics=${encodeURIComponent(names)}`);
    expect(Object.keys(body.agents[0].series)).toEqual(['reward_mean', 'co_labeling/peer_agreement']);
    expect(Object.keys(body.pairs[0].series)).toEqual(['agreement']);
  });

  it('tells of the deviation in relation to that of the first step', async () => {
    const server = await openServer();
    await run(server, THREE_STEPS.slice(0, 2));
    const { body } = await server.get(`${URL}?from=1`);
    expect(seriesOf(body, 'reward_std_normalized', 'a')).toEqual({ value: [0], denominator: [1] });
    const all = await server.get(URL);
    expect(seriesOf(all.body, 'reward_std_normalized', 'a').value).toEqual([1, 0]);
    expect(seriesOf(all.body, 'reward_std_normalized', 'b').value).toEqual([null, null]);
  });

  it.each([
    ['?format=csv', {}],
    ['', { accept: 'text/csv' }],
    ['', { accept: 'text/csv, application/json;q=0.5' }],
  ])('gives the same as CSV: %s %j', async (query, headers) => {
    const server = await openServer();
    await run(server, THREE_STEPS);
    const { headers: got, text } = await server.send('GET', `${URL}${query}`, undefined, headers);
    expect(got['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...rows] = text.trimEnd().split('\r\n');
    expect(head).toBe('first_step,last_step,steps,agent,peer,metric,value,numerator,denominator');
    expect(rows).toContain('0,0,1,a,,reward_mean,0.5,1,2');
    expect(rows).toContain('2,2,1,a,b,agreement,,0,0');
    expect(rows).toContain('1,1,1,b,,reward_std_batch,0,,2');
    for (const row of rows) expect(row.split(',')).toHaveLength(9);
  });

  it.each(['application/json, text/csv', '*/*', 'text/html'])(
    'gives JSON to who accepts %s',
    async (accept) => {
      const server = await openServer();
      const { headers } = await server.send('GET', URL, undefined, { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it('counts the groups of an agent where its trainer sends no step', async () => {
    const server = await openServer({ k: 1 });
    const groups = (agent: string) => ({
      groups: Array.from({ length: 101 }, (_, at) => ({
        prompt_id: `p${at}`,
        rollouts: [{ index: 0, answer: agent }],
      })),
    });
    await server.submit('a', groups('a'));
    await server.submit('b', groups('b'));
    await server.get(URL);
    await run(server, [{ prompt: 'q', answers: { a: ['4'], b: ['4'] } }]);
    const { body } = await server.get(URL);
    expect([body.steps, seriesOf(body, 'reward_mean', 'a').denominator]).toEqual([
      [0, 100],
      [101, 1],
    ]);
  });

  it('knows of an agent that it counted nowhere, and of a cohort that has not begun', async () => {
    const server = await openServer();
    const { body } = await server.get(URL);
    expect(body).toMatchObject({ steps: [], earlier_steps: 0 });
    expect(body.agents.map(({ agent }: { agent: string }) => agent)).toEqual(['a', 'b']);
    expect(body.agents[0].overall.reward_mean).toEqual({ value: null, numerator: 0, denominator: 0 });
    expect((await server.get(`${URL}?format=csv`)).text.split('\r\n')).toHaveLength(2);
  });

  it.each([
    ['window=0', /querystring: window/],
    ['window=x', /querystring: window/],
    ['limit=10001', /querystring: limit/],
    ['from=-1', /querystring: from/],
    ['to=1.5', /querystring: to/],
    ['from=5&to=4', /from: from is after to/],
    ['format=xml', /querystring: format/],
    ['metrics=reward_mean,no_such', /no figure "no_such"/],
    ['metrics=', /no figure ""/],
  ])('refuses %s and says why', async (query, detail) => {
    const server = await openServer();
    const { status, body } = await server.get(`${URL}?${query}`);
    expect([status, body.code]).toEqual([422, 'invalid_request']);
    expect(body.detail).toMatch(detail);
  });

  it('is 404 for a cohort that does not exist', async () => {
    const server = await openServer();
    expect((await server.get('/v1/cohorts/nobody/diagnostics')).body.code).toBe('unknown_cohort');
  });

  it('never lets a truth that was given for it reach a reward', async () => {
    const truths = [undefined, '5'];
    const rewards = truths.map(async (truth) => {
      const server = await openServer();
      await server.submit('b', submissionOf('p', ['4', '4']));
      const { body } = await server.submit('a', {
        groups: [
          {
            prompt_id: 'p',
            ground_truth: truth,
            rollouts: [
              { index: 0, answer: '4' },
              { index: 1, answer: '5' },
            ],
          },
        ],
      });
      return body.groups[0];
    });
    const [blind, told] = await Promise.all(rewards);
    expect(told).toEqual(blind);
    expect(told).toMatchObject({ reward_source: 'peer-vote', rewards: [1, 0] });
  });
});

describe('the names of the reference in replies', () => {
  it('are those of the method, the same in every reply of an agent', async () => {
    const server = await openServer({ agents: ['a'], method: 'ttrl' });
    const { body } = await server.submit('a', submissionOf('p', ['4', '4']));
    const names = Object.keys(body.metrics).filter((name) => name.includes('/'));
    expect(names).toEqual([
      'self_labeling/fraction_labeled',
      'self_labeling/top_frequency_mean',
      'self_labeling/parseable_fraction',
      'self_labeling/pseudo_label_matches_gt',
    ]);
    expect(body.metrics['self_labeling/top_frequency_mean']).toBe(1);
    const evaluated = await server.submit('a', submissionOf('p', ['4'], { split: 'eval' }));
    expect(Object.keys(evaluated.body.metrics)).toEqual(Object.keys(body.metrics));
    expect(evaluated.body.metrics['self_labeling/fraction_labeled']).toBeNull();
  });

  it('name each peer where there are several', async () => {
    const server = await openServer({ agents: ['a', 'b', 'c'] });
    await server.submit('b', submissionOf('p', ['4', '4']));
    await server.submit('c', submissionOf('p', ['5', '5']));
    const { body } = await server.submit('a', submissionOf('p', ['4', '4']));
    expect(body.metrics).toMatchObject({
      'co_labeling/peer_agreement/b': 1,
      'co_labeling/peer_agreement/c': 0,
      'co_labeling/unanimous_rate': 0,
    });
    expect(body.metrics).not.toHaveProperty('co_labeling/both_labeled_fraction');
  });

  it('leave a group out that is answered before it is full, but for OpenRLHF, which gets its vote so far', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const part = await server.submit('a', submissionOf('p', ['4']));
    expect(part.body.metrics['co_labeling/labeled_fraction_me']).toBeNull();
    const other = await openServer();
    await other.submit('b', submissionOf('p', ['4', '4']));
    const { body } = await other.reward('a', {
      query: ['Question: 2+2?\n4'],
      prompts: ['Question: 2+2?\n'],
      labels: ['{"pid":"p"}'],
    });
    expect(body.extra_logs).toMatchObject({
      'co_labeling/labeled_fraction_me': [1],
      'co_labeling/peer_agreement': [1],
    });
  });
});
