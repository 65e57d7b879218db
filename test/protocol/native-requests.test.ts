import { describe, expect, it } from 'vitest';
import { openServer, submissionOf } from './test-server.ts';

const rollout = (fields: object = {}) => ({ id: 'r0', answer: '4', ...fields });
const group = (fields: object = {}) => ({ prompt_id: 'p', rollouts: [rollout()], ...fields });
const body = (fields: object = {}) => ({ groups: [group()], ...fields });

describe('a native submission', () => {
  it('may have fields that nobody knows, everywhere', async () => {
    const server = await openServer();
    const reply = await server.submit('a', {
      ...body({ groups: [group({ extra: 1, rollouts: [rollout({ logprobs: [0.1], extra: { a: [] } })] })] }),
      trainer: 'verl',
    });
    expect(reply.status).toBe(202);
  });

  it('may leave out or null whatever is optional', async () => {
    const server = await openServer();
    const reply = await server.submit('a', {
      submission_id: null,
      incarnation: null,
      step: null,
      groups: [
        {
          prompt_id: 'p',
          round: null,
          task: null,
          mode: null,
          ground_truth: null,
          rollouts: [{ id: null, index: null, answer: null, tokens: null, truncated: null }],
        },
      ],
    });
    expect(reply.status).toBe(202);
  });

  it('takes an answer as text, number or null, before the completion', async () => {
    const server = await openServer({ k: 4 });
    await server.submit('b', submissionOf('p', ['4', '4', '4', '4']));
    const rollouts = [
      { answer: 4, completion: '5' },
      { answer: 4.5 },
      { answer: null, completion: '4' },
      { completion: '4' },
    ];
    const reply = await server.submit('a', { groups: [{ prompt_id: 'p', rollouts }] });
    expect(reply.body.groups[0].rewards).toEqual([1, 0, 0, 1]);
  });

  it.each([
    ['text', '1/2', '0.5'],
    ['a number', 0.5, '1/2'],
    ['a list', [1, 2], '1, 2'],
    ['a boolean', true, 'true'],
  ])('takes the ground truth as %s', async (_kind, truth, answer) => {
    const server = await openServer();
    const reply = await server.submit('a', {
      split: 'eval',
      groups: [group({ ground_truth: truth, rollouts: [rollout({ answer }), rollout({ answer: 'no' })] })],
    });
    expect(reply.body.groups[0].rewards).toEqual([1, 0]);
  });

  it('takes lone surrogates, which Python sends, for the same text wherever they are', async () => {
    const server = await openServer({ k: 1 });
    const text = String.raw`{"submission_id":"s\ud800","incarnation":"i\udfff","groups":[{"prompt_id":"p\ud83d","task":"t\ud800",
      "ground_truth":"4\ud800","rollouts":[{"id":"r\udead","completion":"4\ud800"}]}]}`;
    const first = await server.submit('a', text);
    expect([first.status, first.body.submission_id]).toEqual([202, 's\ufffd']);
    await server.submit('b', text.replaceAll('"i\\udfff"', 'null'));
    const again = await server.submit('a', text);
    expect(again.body.groups[0]).toMatchObject({
      prompt_id: 'p\ufffd',
      rollouts: [{ id: 'r\ufffd', reward: 1, answer: '4\ufffd' }],
    });
    expect(again.text).not.toMatch(/[\ud800-\udfff]/);
  });

  it('keeps a key that means something to JavaScript for what it is', async () => {
    const server = await openServer({ k: 1 });
    const text =
      '{"__proto__":{"groups":[]},"groups":[{"prompt_id":"__proto__","constructor":1,"rollouts":[{"id":"constructor","answer":"__proto__"}]}]}';
    await server.submit('a', text);
    const reply = await server.submit('b', text);
    expect(reply.body.groups[0]).toMatchObject({ prompt_id: '__proto__', label: '__proto__', rewards: [1] });
  });

  it('names prompts with any characters, also in a path', async () => {
    const server = await openServer({ k: 1 });
    for (const promptId of ['a/b?c#d%2F', '漢'.repeat(512), ' ']) {
      await server.submit('a', submissionOf(promptId, ['4'], { submission_id: promptId.slice(0, 99) }));
      const explained = await server.get(`/v1/cohorts/test/buckets/${encodeURIComponent(promptId)}`);
      expect([explained.status, explained.body.prompt_id]).toEqual([200, promptId]);
    }
    const recalled = await server.get(
      `/v1/cohorts/test/agents/a/submissions/${encodeURIComponent('a/b?c#d%2F')}`,
    );
    expect(recalled.status).toBe(202);
  });

  it.each<[string, object, string]>([
    ['no groups', { groups: undefined }, 'groups'],
    ['an empty list of groups', { groups: [] }, 'groups'],
    ['a group without rollouts', { groups: [group({ rollouts: [] })] }, 'groups.0.rollouts'],
    ['no prompt id', { groups: [group({ prompt_id: undefined })] }, 'groups.0.prompt_id'],
    ['an empty prompt id', { groups: [group({ prompt_id: '' })] }, 'groups.0.prompt_id'],
    [
      'a prompt id that is too long',
      { groups: [group({ prompt_id: 'x'.repeat(513) })] },
      'groups.0.prompt_id',
    ],
    ['a round below 0', { groups: [group({ round: -1 })] }, 'groups.0.round'],
    ['a round that is no whole number', { groups: [group({ round: 1.5 })] }, 'groups.0.round'],
    ['an unknown mode', { groups: [group({ mode: 'guess' })] }, 'groups.0.mode'],
    ['an unknown split', { split: 'test' }, 'split'],
    ['a step that is no number', { step: '12' }, 'step'],
    [
      'neither answer nor completion',
      { groups: [group({ rollouts: [{ id: 'r' }] })] },
      'groups.0.rollouts.0',
    ],
    [
      'an id of the kind that the server makes',
      { groups: [group({ rollouts: [rollout({ id: '~1' })] })] },
      'groups.0.rollouts.0.id',
    ],
    [
      'an index below 0',
      { groups: [group({ rollouts: [rollout({ index: -1 })] })] },
      'groups.0.rollouts.0.index',
    ],
  ])('is refused with %s, and told where', async (_what, fields, path) => {
    const server = await openServer();
    const reply = await server.submit('a', body(fields));
    expect([reply.status, reply.body.code, reply.body.problems[0].path]).toEqual([
      422,
      'invalid_request',
      path,
    ]);
    expect(reply.body.detail).toMatch(/^body: .*The shapes are described at \/docs\.$/);
  });

  it('names twenty problems and says that there are more', async () => {
    const server = await openServer();
    const groups = Array.from({ length: 30 }, () => ({ prompt_id: '', rollouts: [rollout()] }));
    const { body: problem } = await server.submit('a', { groups });
    expect(problem.problems).toHaveLength(20);
    expect(problem.detail).toContain('(and more)');
  });
});

describe('a body', () => {
  it.each([
    ['{"groups":[{"prompt_id":"p","rollouts":[{"answer":NaN}]}]}', 'NaN', 50],
    ['{"step":Infinity,"groups":[]}', 'Infinity', 8],
    ['{"step":-Infinity,"groups":[]}', '-Infinity', 8],
    ['{"a":"NaN, \\"Infinity\\"","b":NaN}', 'NaN', 29],
  ])('with a number that is not JSON is told which and where: %s', async (text, token, at) => {
    const server = await openServer();
    const reply = await server.submit('a', text);
    expect([reply.status, reply.body.code]).toEqual([400, 'non_finite_number']);
    expect(reply.body.detail).toContain(`The body holds ${token} at character ${at},`);
    expect(reply.body.detail).toContain('allow_nan=False');
  });

  it.each(['', ' ', '{', '{"a":"NaN', "{'a': 1}", '[1,]'])('that is no JSON is told so: %j', async (text) => {
    const server = await openServer();
    const reply = await server.submit('a', text);
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_json']);
  });

  it('as long as the limit is taken, one byte more is not, and the connection survives to say so', async () => {
    const limit = 100_000;
    const server = await openServer({ server: { bodyLimitBytes: limit } });
    const base = await server.listen();
    const sized = (bytes: number) => {
      const empty = JSON.stringify(submissionOf('p', ['4', '5'], { pad: '' }));
      return JSON.stringify(submissionOf('p', ['4', '5'], { pad: 'x'.repeat(bytes - empty.length) }));
    };
    expect((await server.submit('a', sized(limit))).status).toBe(202);
    for (const bytes of [limit + 1, limit * 100]) {
      const reply = await fetch(`${base}/v1/cohorts/test/agents/a/rollouts`, {
        method: 'POST',
        body: sized(bytes),
        headers: { 'content-type': 'application/json' },
      });
      expect(await reply.json()).toMatchObject({ status: 413, code: 'body_too_large', retryable: false });
    }
  });

  it('of megabytes is taken by default', async () => {
    const server = await openServer();
    const reply = await server.submit('a', submissionOf('p', ['4', '5'], { pad: 'x'.repeat(3_000_000) }));
    expect(reply.status).toBe(202);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    'declared as %s is refused with what to declare',
    async (type) => {
      const server = await openServer();
      const reply = await server.send('POST', '/v1/cohorts/test/agents/a/rollouts', '{}', {
        'content-type': type,
      });
      expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type']);
      expect(reply.body.detail).toContain('Content-Type: application/json');
    },
  );

  it('may say its character set', async () => {
    const server = await openServer();
    const text = JSON.stringify(submissionOf('p', ['4', '5']));
    const reply = await server.send('POST', '/v1/cohorts/test/agents/a/rollouts', text, {
      'content-type': 'application/json; charset=UTF-8',
    });
    expect(reply.status).toBe(202);
  });
});
