import { request } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openServer, submissionOf, type TestServer } from './test-server.ts';

const taskOf = (rolloutId: string, answer: string, overrides: object = {}) => ({
  priority: 1,
  project_id: 'x',
  experiment_id: 'y',
  global_step: 3,
  data_id: 'p',
  rollout_id: rolloutId,
  prompt: '2+2?',
  response: answer,
  reward_info: { ground_truth: '4' },
  reward_manager: [],
  timeout: 300,
  ...overrides,
});

const submit = (server: TestServer, body: unknown, query = '') =>
  server.send('POST', `/roll/test/a/submit_task${query}`, body);

const poll = (server: TestServer, id: string) =>
  server.get(`/roll/test/a/task_result?reward_request_id=${encodeURIComponent(id)}`);

describe('the ROLL protocol', () => {
  it('returns a request id at once, and its score once the peer is there, as a float', async () => {
    const server = await openServer();
    const ids: string[] = [];
    for (const [name, answer] of [
      ['r1', '4'],
      ['r2', '5'],
    ] as const) {
      const { status, body } = await submit(server, taskOf(name, answer));
      expect([status, body.errcode]).toEqual([200, 0]);
      ids.push(body.reward_request_id);
    }
    const pending = await poll(server, ids[0] ?? '');
    expect([pending.status, pending.body]).toEqual([
      200,
      { errcode: 1, errmsg: 'waits for b, which has sent 0 of 2 rollouts' },
    ]);
    await server.submit('b', submissionOf('p', ['4', '4']));
    const texts = await Promise.all(ids.map(async (id) => (await poll(server, id)).text));
    expect(texts).toEqual([
      '{"errcode":0,"errmsg":"","reward_score":1.0,"dimention_reward_score":{}}',
      '{"errcode":0,"errmsg":"","reward_score":0.0,"dimention_reward_score":{}}',
    ]);
  });

  it('reads the request id in the body of a GET, as ROLL sends it', async () => {
    const server = await openServer();
    const base = await server.listen();
    const { body } = await submit(server, taskOf('r1', '4'));
    await server.submit('b', submissionOf('p', ['4', '4']));
    const sent = JSON.stringify({ reward_request_id: body.reward_request_id });
    const reply = await new Promise((resolve, reject) => {
      const call = request(
        `${base}/roll/test/a/task_result`,
        { method: 'GET', headers: { 'content-type': 'application/json', 'content-length': sent.length } },
        (response) => resolve(json(response)),
      );
      call.once('error', reject);
      call.end(sent);
    });
    expect(reply).toMatchObject({ errcode: 0, reward_score: 1 });
  });

  it('answers a GET whose body is far too large, and lets go of its connection', async () => {
    const server = await openServer();
    const { port } = new URL(await server.listen());
    const body = ' '.repeat(400_000);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(
      `GET /roll/test/a/task_result HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('counts a repeated submit once', async () => {
    const server = await openServer();
    const first = await submit(server, taskOf('r1', '4'));
    const again = await submit(server, taskOf('r1', '4'));
    expect(again.body).toEqual(first.body);
    const [bucket] = await server.store.readPrompt('test', 'p');
    expect(bucket?.groups.get('a')?.rollouts.map(({ id, step }) => [id, step])).toEqual([['r1', 3]]);
  });

  it('grades eval at once', async () => {
    const server = await openServer();
    const { body } = await submit(
      server,
      taskOf('r1', '4', { reward_info: { ground_truth: '4', split: 'eval' } }),
    );
    expect((await poll(server, body.reward_request_id)).text).toContain('"reward_score":1.0');
    const wrong = await submit(server, taskOf('r2', '5'), '?split=test');
    expect((await poll(server, wrong.body.reward_request_id)).text).toContain('"reward_score":0.0');
    expect(await server.store.countOpenBuckets('test')).toBe(0);
  });

  it.each([
    ['an unknown request id', '/roll/test/a/task_result?reward_request_id=x', 404, 'unknown_submission'],
    ['no request id', '/roll/test/a/task_result', 422, 'invalid_request'],
  ])('refuses %s', async (_what, url, status, code) => {
    const server = await openServer();
    const reply = await server.get(url);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it.each([
    ['without a data id', { data_id: undefined }],
    ['with a rollout id of ours', { rollout_id: '~0' }],
    ['with a reward_info that is no JSON', { reward_info: "{'pid': 1}" }],
  ])('refuses a task %s', async (_what, overrides) => {
    const server = await openServer();
    expect((await submit(server, taskOf('r1', '4', overrides))).body.code).toBe('invalid_request');
  });
});
