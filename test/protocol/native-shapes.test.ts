import { describe, expect, it } from 'vitest';
import { openServer, submissionOf } from './test-server.ts';

const GROUP_KEYS = [
  'prompt_id',
  'round',
  'status',
  'label',
  'label_share',
  'teachers',
  'reward_source',
  'staleness',
  'reason',
  'reward_weight',
  'advantage_offset',
  'rewards',
  'rollouts',
];

const METRIC_KEYS = [
  'reward_mean',
  'labeled_fraction',
  'unlabeled_fraction',
  'expired_fraction',
  'skipped_fraction',
  'answered_fraction',
  'label_share_mean',
  'agreement',
  'label_accuracy',
  'answer_accuracy',
  'staleness_max',
  'barrier_wait_s',
  'ema_coefficient',
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

describe('POST …/rollouts', () => {
  it('answers 202 with whom it waits for while a teacher is undecided', async () => {
    const server = await openServer();
    const reply = await server.submit(
      'a',
      submissionOf('p1', ['4', '5'], { submission_id: 's-1', incarnation: 'i-1', step: 12 }),
    );
    expect([reply.status, reply.headers['content-type']]).toEqual([202, 'application/json; charset=utf-8']);
    expect(reply.body).toEqual({
      submission_id: 's-1',
      status: 'pending',
      waiting_for: [{ agent: 'b', prompt_id: 'p1', round: 0, have: 0, need: 2 }],
      waiting_for_total: 1,
      notices: [],
    });
  });

  it('answers 200 with rewards in the order sent and by id once all is decided', async () => {
    const server = await openServer({ k: 2 });
    await server.submit('b', {
      groups: [{ prompt_id: 'p1', ground_truth: '4', rollouts: [{ answer: '4' }, { answer: '4' }] }],
    });
    const reply = await server.submit('a', {
      submission_id: 's-1',
      groups: [
        {
          prompt_id: 'p1',
          round: 0,
          rollouts: [
            { id: 'r1', index: 1, completion: '5' },
            { id: 'r0', index: 0, completion: '4', tokens: 311, truncated: false },
          ],
        },
      ],
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      submission_id: 's-1',
      status: 'decided',
      groups: [
        {
          prompt_id: 'p1',
          round: 0,
          status: 'scored',
          label: '4',
          label_share: 1,
          teachers: ['b'],
          reward_source: 'peer-vote',
          staleness: 0,
          reason: null,
          reward_weight: 1,
          advantage_offset: 0,
          rewards: [0, 1],
          rollouts: [
            { id: 'r1', reward: 0, reason: null, answer: '5', late: false },
            { id: 'r0', reward: 1, reason: null, answer: '4', late: false },
          ],
        },
      ],
      metrics: {
        reward_mean: 0.5,
        labeled_fraction: 1,
        unlabeled_fraction: 0,
        expired_fraction: 0,
        skipped_fraction: 0,
        answered_fraction: 1,
        label_share_mean: 1,
        agreement: 1,
        label_accuracy: 1,
        answer_accuracy: 0.5,
        staleness_max: 0,
        barrier_wait_s: 0,
        ema_coefficient: null,
        'co_labeling/peer_agreement': 1,
        'co_labeling/labeled_fraction_peer': 1,
        'co_labeling/both_labeled_fraction': 1,
        'co_labeling/labeled_fraction_me': 1,
        'co_labeling/oracle_accuracy_me': 1,
        'co_labeling/supervision_fraction': 1,
        'co_labeling/peer_tie_rate': 0,
        'co_labeling/unanimous_rate': 1,
        'co_labeling/supervision_contains_truth': 1,
        'co_labeling/rendezvous_wait_seconds': 0,
      },
      notices: [],
    });
  });

  it('writes rewards, shares and metrics as floats and counts as integers', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const { text } = await server.submit('a', submissionOf('p', ['4', '5'], { submission_id: 's' }));
    expect(text).toContain('"rewards":[1.0,0.0]');
    expect(text).toContain('"reward":1.0,');
    expect(text).toContain('"label_share":1.0,');
    expect(text).toContain('"round":0,');
    expect(text).toContain('"staleness":0,');
    const metrics = text.slice(text.indexOf('"metrics":'));
    expect(metrics).not.toMatch(/:-?\d+[,}]/);
    expect(metrics).toContain('"labeled_fraction":1.0');
  });

  it('has the same keys in every outcome', async () => {
    const server = await openServer({ vote: { tie: 'discard' }, unlabeledReward: null });
    await server.submit('b', submissionOf('scored', ['4', '4']));
    await server.submit('b', submissionOf('unlabeled', ['4', '5']));
    await server.send('POST', '/v1/cohorts/test/agents/b/skip', { prompts: [{ prompt_id: 'skipped' }] });
    await server.submit('a', submissionOf('expired', ['4', '4']));
    await server.advance(60_000);
    const outcomes = ['scored', 'unlabeled', 'skipped', 'expired', 'eval'];
    for (const outcome of outcomes) {
      const split = outcome === 'eval' ? 'eval' : 'train';
      const reply = await server.submit('a', submissionOf(outcome, ['4', '4'], { split }));
      expect([reply.status, reply.body.groups[0].status]).toEqual([200, outcome]);
      expect(Object.keys(reply.body.groups[0])).toEqual(GROUP_KEYS);
      expect(Object.keys(reply.body.metrics)).toEqual(METRIC_KEYS);
      const scored = outcome === 'scored';
      expect(reply.body.groups[0].rewards).toEqual(scored ? [1, 1] : [null, null]);
    }
  });

  it('makes a submission id where none is sent, under which it can be asked for', async () => {
    const server = await openServer();
    const { body } = await server.submit('a', submissionOf('p', ['4', '5']));
    expect(body.submission_id).toMatch(/^[0-9a-f-]{32,36}$/);
    const again = await server.get(`/v1/cohorts/test/agents/a/submissions/${body.submission_id}`);
    expect([again.status, again.body.submission_id]).toEqual([202, body.submission_id]);
  });

  it('names rollouts by index where they have no id, and by a name of its own where they have neither', async () => {
    const server = await openServer();
    await server.submit('b', submissionOf('p', ['4', '4']));
    const rollouts = [{ index: 7, answer: '4' }, { answer: '4' }];
    const { body } = await server.submit('a', { groups: [{ prompt_id: 'p', rollouts }] });
    expect(body.groups[0].rollouts.map(({ id }: { id: string }) => id)).toEqual(['#7', '~1']);
  });

  it('grades eval at once', async () => {
    const server = await openServer();
    const rollouts = [{ answer: '4' }, { answer: '5' }, { answer: '4.0' }];
    const reply = await server.submit('a', {
      split: 'eval',
      groups: [{ prompt_id: 'p', ground_truth: 4, rollouts }],
    });
    expect(reply.status).toBe(200);
    expect(reply.body.groups[0]).toMatchObject({
      status: 'eval',
      round: null,
      reward_source: 'ground-truth',
      rewards: [1, 0, 1],
    });
    expect(reply.body.metrics).toMatchObject({ labeled_fraction: null, answer_accuracy: 2 / 3 });
  });

  it('reads the answers of a task in the mode of that task', async () => {
    const server = await openServer();
    const group = (completion: string, fields: object) => ({
      groups: [{ prompt_id: 'p', ...fields, rollouts: [{ completion }, { completion }] }],
    });
    await server.submit('b', group('I think it is (B).', { task: 'mcq' }));
    const { body } = await server.submit('a', group('Answer: B', { mode: 'choice', task: 'math' }));
    expect(body.groups[0]).toMatchObject({ label: 'B', rewards: [1, 1] });
  });
});

describe('POST …/skip and …/finish', () => {
  it('tell the round of each prompt and how many groups that decided', async () => {
    const server = await openServer();
    await server.submit('a', submissionOf('p', ['4', '5']));
    await server.submit('a', submissionOf('q', ['4', '5']));
    const skipped = await server.send('POST', '/v1/cohorts/test/agents/b/skip', {
      incarnation: 'i-1',
      step: 3,
      prompts: [{ prompt_id: 'p' }, { prompt_id: 'z', round: 4 }],
    });
    expect([skipped.status, skipped.body]).toEqual([
      200,
      {
        skipped: [
          { prompt_id: 'p', round: 0 },
          { prompt_id: 'z', round: 4 },
        ],
      },
    ]);
    const finished = await server.send('POST', '/v1/cohorts/test/agents/b/finish', { incarnation: 'i-1' });
    expect([finished.status, finished.text]).toEqual([200, '{"status":"finished","decided_groups":1}']);
  });

  it('finish without any body', async () => {
    const server = await openServer();
    expect((await server.send('POST', '/v1/cohorts/test/agents/b/finish')).status).toBe(200);
    expect((await server.send('POST', '/v1/cohorts/test/agents/b/finish', {})).status).toBe(200);
  });
});
