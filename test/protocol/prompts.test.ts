import { describe, expect, it } from 'vitest';
import { openRlhfOf, openServer, submissionOf } from './test-server.ts';

const URL = '/v1/cohorts/test/prompts';
const MANIFEST = [
  { prompt_id: 'p', text: 'Question: 2+2?', rephrasings: ['What is two and two?'], ground_truth: '4' },
  { prompt_id: 'e', text: 'Question: 3+3?', ground_truth: '6', split: 'eval' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

describe('the manifest of a cohort', () => {
  it('is put as JSON Lines of any media type, told of, and deleted', async () => {
    const server = await openServer();
    for (const type of ['application/x-ndjson', 'application/x-www-form-urlencoded', 'application/json']) {
      const put = await server.send('PUT', URL, MANIFEST, { 'content-type': type });
      expect([put.status, put.body]).toEqual([
        200,
        { prompts: 2, texts: 3, with_ground_truth: 2, eval: 1, version: expect.any(String) },
      ]);
      expect((await server.get(URL)).body).toEqual(put.body);
    }
    expect((await server.send('DELETE', URL)).status).toBe(204);
    expect((await server.get(URL)).body).toMatchObject({ prompts: 0, version: null });
  });

  it('names the problem of a text-only rollout, and its truth and split', async () => {
    const server = await openServer({ k: 1 });
    await server.send('PUT', URL, MANIFEST);
    await server.submit('b', submissionOf('p', ['4']));
    const plain = await server.reward('a', openRlhfOf('4', ''));
    expect(plain.body.extra_logs).toMatchObject({ labeled: [1], truth_match: [1] });
    const graded = await server.reward('a', openRlhfOf('6', '', 'Question:  3+3?\n'));
    expect([graded.body.rewards, graded.body.extra_logs.eval]).toEqual([[1], [1]]);
  });

  it('lets an agent that sees a rephrased text learn from one that sees the original', async () => {
    const server = await openServer({ k: 1 });
    await server.send('PUT', URL, MANIFEST);
    const first = server.reward('a', openRlhfOf('4', ''));
    await server.untilHeld(1);
    const body = { prompt: 'Hint: count. What is two and two? Box it.', response: '4', label: null };
    expect((await server.send('POST', '/slime/test/b', body)).text).toBe('1.0');
    expect((await first).body.rewards).toEqual([1]);
  });

  it.each([
    ['/openrlhf/test/a', openRlhfOf('4', '', 'Question: 2+3?\n')],
    ['/slime/test/a', { prompt: 'Question: 2+3?', response: '4' }],
  ])('refuses at %s a text that it does not hold, naming the nearest', async (url, body) => {
    const server = await openServer();
    await server.send('PUT', URL, MANIFEST);
    const reply = await server.send('POST', url, body);
    expect(reply.body).toMatchObject({
      status: 422,
      code: 'unknown_prompt',
      retryable: false,
      nearest: { prompt_id: 'p' },
    });
    expect(reply.body.detail).toContain('Question: 2+2?');
  });

  it('applies from the next request on when it is replaced', async () => {
    const server = await openServer();
    await server.send('PUT', URL, MANIFEST);
    const ask = () =>
      server.send('POST', '/slime/test/a', {
        prompt: 'Question: 9+9?',
        response: '4',
        label: { split: 'eval' },
      });
    expect((await ask()).status).toBe(422);
    await server.send(
      'PUT',
      URL,
      JSON.stringify({ prompt_id: 'n', text: 'Question: 9+9?', ground_truth: 4 }),
    );
    expect((await ask()).text).toBe('1.0');
  });

  it('is refused whole where a line is bad, and for an unknown cohort', async () => {
    const server = await openServer();
    await server.send('PUT', URL, MANIFEST);
    const bad = await server.send('PUT', URL, `${MANIFEST}\n{"prompt_id":"x"}`);
    expect(bad.body).toMatchObject({
      status: 422,
      code: 'invalid_request',
      detail: expect.stringMatching(/^line 3: text: /),
    });
    expect((await server.get(URL)).body.prompts).toBe(2);
    expect((await server.send('PUT', '/v1/cohorts/none/prompts', MANIFEST)).body.code).toBe('unknown_cohort');
  });
});
