import { describe, expect, it } from 'vitest';
import type { MethodName } from '../../src/domain/cohort.ts';
import { openRlhfOf, openServer, submissionOf } from './test-server.ts';

const asked = { agents: ['a'], k: 2 };

/** A submission of prompt `p` whose rollouts carry these fields beside an answer. */
function submissionWith(...rollouts: readonly Readonly<Record<string, unknown>>[]) {
  return {
    groups: [
      { prompt_id: 'p', rollouts: rollouts.map((fields, at) => ({ id: `r${at}`, answer: '4', ...fields })) },
    ],
  };
}

describe('rollouts without what the method needs', () => {
  it.each([
    ['rent', {}, 'mean_entropy or token_entropies'],
    ['intuitor', { mean_entropy: 1 }, 'mean_kl_u_p or token_kl_u_p'],
    ['comas', { interaction_id: 'x' }, 'part'],
    ['comas', { part: 'solver' }, 'interaction_id'],
    ['maporl', { interaction_id: 'x', turn: 0 }, 'score'],
    ['maporl', { interaction_id: 'x', score: 1 }, 'turn'],
  ] as const)('are refused by %s with %j, and the field is named', async (method, fields, field) => {
    const server = await openServer({ ...asked, method });
    const { status, body } = await server.submit('a', submissionWith(fields));
    expect([status, body.code, body.retryable]).toEqual([422, 'invalid_signals', false]);
    expect(body.faults).toEqual([{ prompt_id: 'p', rollout: 'r0', field, problem: 'is missing' }]);
    expect(body.detail).toContain(`${field} of rollout "r0" of prompt "p" is missing`);
  });

  it('are all named at once, and nothing of the submission is stored', async () => {
    const server = await openServer({ ...asked, method: 'rent' });
    const sent = submissionWith({ mean_entropy: -1 }, { token_entropies: [1, 2], token_mask: [1] });
    const { body } = await server.submit('a', sent);
    expect(body.count).toBe(2);
    expect(body.faults.map(({ problem }: { problem: string }) => problem)).toEqual([
      'has the negative value -1',
      'has 2 values, but the mask has 1: send one of each per token',
    ]);
    const again = await server.submit('a', submissionWith({ mean_entropy: 1 }, { mean_entropy: 2 }));
    expect([again.status, again.body.groups[0].rewards]).toEqual([200, [-1, -2]]);
  });

  it('may have a truth in place of a score', async () => {
    const server = await openServer({ ...asked, method: 'maporl' });
    const [group] = submissionWith(
      { interaction_id: 'x', turn: 0 },
      { interaction_id: 'y', turn: 0, answer: '5' },
    ).groups;
    const { body } = await server.submit('a', { groups: [{ ...group, ground_truth: '4' }] });
    expect(body.groups[0]).toMatchObject({ rewards: [1, 0], reward_source: 'ground-truth' });
  });

  it('are not asked for eval, which is graded against the truth', async () => {
    const server = await openServer({ ...asked, method: 'rent' });
    const { body } = await server.submit('a', {
      split: 'eval',
      groups: [{ prompt_id: 'p', ground_truth: '4', rollouts: [{ answer: '4' }, { answer: '5' }] }],
    });
    expect(body.groups[0]).toMatchObject({ rewards: [1, 0], reward_source: 'ground-truth' });
  });

  it('are not hidden: a scorer that gives only an answer has to give its verdict', async () => {
    const server = await openServer({ ...asked, method: 'comas' });
    const scorer = { part: 'scorer', interaction_id: 'x' };
    expect((await server.submit('a', submissionWith(scorer))).body.faults).toEqual([
      {
        prompt_id: 'p',
        rollout: 'r0',
        field: 'tau',
        problem: 'is missing, and "answer" hides the completion it is read from',
      },
    ]);
    const { body } = await server.submit('a', submissionWith({ ...scorer, tau: 2 }, { ...scorer, tau: 3 }));
    expect(body.groups[0].rewards).toEqual([0, 0]);
  });

  it.each([
    ['a text for a mean', { mean_entropy: 'low' }],
    ['a score beyond all bounds', { score: 1e300 }],
    ['a part that there is not', { part: 'critic' }],
    ['a verdict that there is not', { tau: 4 }],
    ['half a turn', { turn: 0.5 }],
    ['a mask of other numbers', { token_entropies: [1], token_mask: [2] }],
    ['an id that is too long', { interaction_id: 'x'.repeat(201) }],
  ])('are told from nonsense: %s', async (_, fields) => {
    const { status, body } = await (await openServer(asked)).submit('a', submissionWith(fields));
    expect([status, body.code]).toEqual([422, 'invalid_request']);
  });
});

describe('a reward that is not there', () => {
  it('is null with its reason, and a retry gets the same whatever it measures now', async () => {
    const server = await openServer({ ...asked, method: 'rent' });
    const sent = submissionWith({ mean_entropy: null }, { mean_entropy: 0.5 });
    const first = await server.submit('a', sent);
    expect(first.text).toContain('"rewards":[null,-0.5]');
    expect(first.body.groups[0].rollouts).toEqual([
      {
        id: 'r0',
        reward: null,
        reason: 'It has no tokens, so its entropy is not defined.',
        answer: '4',
        late: false,
      },
      { id: 'r1', reward: -0.5, reason: null, answer: '4', late: false },
    ]);
    const retried = await server.submit('a', submissionWith({ mean_entropy: 9 }, { mean_entropy: 9 }));
    expect(retried.body.groups).toEqual(first.body.groups);
    const { body } = await server.get('/v1/cohorts/test/buckets/p');
    expect(body.rounds[0].groups[0].rollouts[0]).toMatchObject({
      reward: null,
      reason: 'It has no tokens, so its entropy is not defined.',
    });
  });

  it('is 0.0 where a protocol has no null, and told from a reward by unlabeled', async () => {
    const server = await openServer({ ...asked, method: 'llm-judge' });
    const { body } = await server.reward('a', openRlhfOf('4'));
    expect(body).toMatchObject({ rewards: [0], extra_logs: { labeled: [0], unlabeled: [1] } });
  });
});

describe('protocols without signals', () => {
  const refused: readonly MethodName[] = ['rent', 'intuitor', 'comas', 'maporl'];

  it.each(refused)('cannot serve %s, and say which can', async (method) => {
    const server = await openServer({ ...asked, method });
    const replies = [
      await server.reward('a', openRlhfOf('4')),
      await server.send('POST', '/slime/test/a', { prompt: 'p', response: '4', label: '{"pid":"p"}' }),
      await server.send('POST', '/roll/test/a/submit_task', {
        data_id: 'p',
        rollout_id: 'r',
        prompt: 'p',
        response: '4',
      }),
    ];
    for (const { status, body } of replies) {
      expect([status, body.code]).toEqual([422, 'invalid_signals']);
      expect(body.detail).toContain('/v1/cohorts/{cohort}/agents/{agent}/rollouts');
    }
    const { body } = await server.get('/v1/cohorts/test');
    expect(body.agents[0].rollouts).toBe(0);
  });

  it('serve what needs the text alone, and eval of everything', async () => {
    const control = await openServer({ ...asked, method: 'format' });
    expect((await control.reward('a', openRlhfOf('4'))).body.rewards).toEqual([1]);
    const rent = await openServer({ ...asked, method: 'rent' });
    const label = '{"pid":"p","truth":"4","split":"eval"}';
    expect((await rent.reward('a', openRlhfOf('4', label))).body.rewards).toEqual([1]);
  });
});

describe('who waits for whom', () => {
  it('in a discussion is everybody for everybody, and the watchdog names who is missing', async () => {
    const server = await openServer({
      method: 'maporl',
      k: 1,
      agents: ['a', 'b', 'c'],
      barrier: { deadlineMs: 3_600_000 },
      watchdog: { silentAfterMs: 10_000, stalledAfterMs: 10_000 },
    });
    const turn = submissionWith({ interaction_id: 'x', turn: 0, score: 1 });
    const waiting = [server.submit('a', turn, '?wait=100'), server.submit('b', turn, '?wait=100')];
    await server.untilHeld(2);
    await server.advance(10_000);
    await server.watch();
    const { body } = await server.get('/v1/cohorts/test');
    const pairs = body.waits.map((wait: Record<string, string>) => `${wait.agent} for ${wait.for}`);
    expect(pairs).toEqual(['a for c', 'b for c']);
    expect(body.verdict.findings).toMatchObject([{ code: 'silent_agent', agents: ['c'] }]);
    await server.submit('c', turn);
    for (const reply of await Promise.all(waiting)) expect(reply.body.groups[0].rewards).toEqual([1]);
  });

  it('is nobody where nothing is shared: one of several rollouts is answered at once', async () => {
    const server = await openServer({ agents: ['a', 'b'], k: 8, method: 'intuitor' });
    const { status, body } = await server.submit('a', submissionWith({ mean_kl_u_p: 3 }));
    expect([status, body.groups[0].rewards]).toEqual([200, [3]]);
  });
});

describe('GET /v1/cohorts/{cohort}/ema', () => {
  const slow = { agents: ['a', { name: 'b', role: 'teacher' }], method: 'co-rewarding-ii' };

  it('tells how far the teacher moves at a step', async () => {
    const server = await openServer();
    const options = { ema_steps: 100, ema_interval: 30 };
    await server.send('PUT', '/v1/cohorts/slow', { ...slow, options });
    const at = async (step: number) => (await server.get(`/v1/cohorts/slow/ema?step=${step}`)).body;
    expect(await at(1)).toEqual({ step: 1, coefficient: 0.01, teacher_weight: 0.99, moves: false });
    expect(await at(30)).toMatchObject({ moves: true });
    expect((await at(500)).coefficient).toBe(1e-5);
  });

  it.each([
    ['test', 'its method is co-rl, not co-rewarding-ii'],
    ['slow', 'options.ema_steps is not set'],
  ])('has nothing to tell of cohort %s, and says why', async (cohort, why) => {
    const server = await openServer();
    await server.send('PUT', '/v1/cohorts/slow', slow);
    const { status, body } = await server.get(`/v1/cohorts/${cohort}/ema?step=1`);
    expect([status, body.code]).toEqual([422, 'invalid_request']);
    expect(body.detail).toContain(why);
  });

  it.each(['', '?step=x', '?step=-1'])('needs a step: %s', async (query) => {
    expect((await (await openServer()).get(`/v1/cohorts/test/ema${query}`)).status).toBe(422);
  });
});

it('options that do not suit the method are refused by PUT, all at once', async () => {
  const { status, body } = await (await openServer()).send('PUT', '/v1/cohorts/math', {
    agents: ['a'],
    method: 'rent',
    options: { parser: 'marti', probability: 0.1, unknown: 1 },
  });
  expect(status).toBe(422);
  expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
    'options.parser',
    'options.probability',
    'options.unknown',
  ]);
});

it('answers late rollouts of a control as it answers the others', async () => {
  const server = await openServer({ agents: ['a'], k: 1, method: 'format' });
  await server.submit('a', submissionOf('p', ['4']));
  const late = await server.submit('a', {
    groups: [{ prompt_id: 'p', round: 0, rollouts: [{ id: 'x', answer: '5' }] }],
  });
  expect(late.body.groups[0].rollouts[0]).toMatchObject({ reward: 1, late: true });
});
