import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from './test-server.ts';

const boxed = (answers: readonly string[]) =>
  answers.map((answer, index) => ({ index, completion: `\\boxed{${answer}}` }));

const send = (server: TestServer, agent: string, truth: unknown, split = 'train', answers = ['24', '24']) =>
  server.submit(agent, {
    split,
    groups: [{ prompt_id: 'p', mode: 'boxed', ground_truth: truth, rollouts: boxed(answers) }],
  });

describe('a ground truth in a submission', () => {
  it.each([
    [{ target: 24, numbers: [2, 3, 4] }],
    [{ target: ['Paris', 'paris'] }],
    [{}],
    ['x'.repeat(20_000)],
    [[['a'], ['b']]],
    [2 ** 60],
    [[null, '']],
  ])('keeps no rollouts out, whatever it is: %j', async (truth) => {
    const server = await openServer();
    expect((await send(server, 'b', truth)).status).toBe(202);
    const { status, body } = await send(server, 'a', truth);
    expect([status, body.groups[0].rewards]).toEqual([200, [1, 1]]);
  });

  it('is told to be unusable where the method pays by it', async () => {
    const server = await openServer({ method: 'ground-truth' });
    const { status, body } = await send(server, 'a', { target: 24, numbers: [2, 3, 4] });
    expect([status, body.code]).toEqual([422, 'ground_truth_required']);
    expect(body.detail).toContain('A ground truth that came is an object with fields other than "target".');
  });

  it('says why it pays nothing, in eval and under method ground-truth', async () => {
    const server = await openServer({ method: 'ground-truth' });
    const solution = 'first 3+4=7, then 7*2=14';
    const unparsed =
      'The ground truth does not parse as one answer, so nothing but its own spelling is right.';
    for (const split of ['train', 'eval']) {
      const { body } = await send(server, 'a', solution, split, ['14', '7']);
      expect(body.groups[0]).toMatchObject({ rewards: [0, 0], reason: unparsed });
    }
    const { body } = await send(server, 'a', 'x'.repeat(20_000), 'eval');
    expect(body.groups[0]).toMatchObject({
      rewards: [0, 0],
      reason: 'The ground truth is not used: it has 20000 characters; at most 16384 are read.',
    });
  });

  it('pays for any answer of a list and for that of a worked solution, in eval and under method ground-truth', async () => {
    const server = await openServer({ method: 'ground-truth', k: 3 });
    for (const [truth, answers, rewards] of [
      [
        ['New York City', 'NYC'],
        ['NYC', 'new york city', 'Boston'],
        [1, 1, 0],
      ],
      ['3*4=<<3*4=12>>12, and 12 more are 24.\n#### 24', ['24', '12', '3'], [1, 0, 0]],
    ] as const) {
      for (const split of ['train', 'eval']) {
        const { body } = await server.submit('a', {
          split,
          groups: [
            { prompt_id: String(truth), mode: 'boxed', ground_truth: truth, rollouts: boxed(answers) },
          ],
        });
        expect(body.groups[0]).toMatchObject({ rewards, reason: null });
      }
    }
  });

  it('may be a list in a manifest', async () => {
    const server = await openServer();
    const line = JSON.stringify({ prompt_id: 'p', text: 'Where?', ground_truth: ['NYC', 'New York City'] });
    await server.send('PUT', '/v1/cohorts/test/prompts', line);
    const body = { prompt: 'Where?', response: '\\boxed{New York City}', label: null };
    expect((await server.send('POST', '/slime/test/a?split=eval', body)).text).toBe('1.0');
    const bad = await server.send('PUT', '/v1/cohorts/test/prompts', line.replace('["NYC"', '[{}'));
    expect(bad.status).toBe(422);
  });
});

describe('reasoning that the prompt opened', () => {
  const prompt = '<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n<think>\n';
  const label = { split: 'eval', answer: '12' };
  const unfinished = 'maybe \\boxed{12}, but check';
  const finished = 'maybe \\boxed{11}</think>It is \\boxed{12}.';

  const rewardsOf = async (server: TestServer, response: string) => {
    const slime = await server.send('POST', '/slime/test/a', { prompt, response, label });
    const openRlhf = await server.reward('a', {
      query: [prompt + response],
      prompts: [prompt],
      labels: [label],
    });
    const rollouts = [{ index: 0, completion: response }];
    const groups = [{ prompt_id: 'p', mode: 'auto', prompt, ground_truth: '12', rollouts }];
    const native = await server.submit('a', { split: 'eval', groups });
    return [slime.body, openRlhf.body.rewards[0], native.body.groups[0].rewards[0]];
  };

  it('holds no answer until it is closed, in every protocol that sends the prompt', async () => {
    const server = await openServer({ answers: { mode: 'auto', pattern: null } });
    expect(await rewardsOf(server, unfinished)).toEqual([0, 0, 0]);
    expect(await rewardsOf(server, finished)).toEqual([1, 1, 1]);
  });

  it('is what the cohort says where it says something', async () => {
    const server = await openServer({
      answers: { mode: 'auto', pattern: null, reasoning: 'in-completion' },
    });
    expect(await rewardsOf(server, unfinished)).toEqual([1, 1, 1]);
    const closed = await openServer({
      answers: { mode: 'auto', pattern: null, reasoning: 'opened-by-prompt' },
    });
    const body = { prompt: 'Q', response: unfinished, label };
    expect((await closed.send('POST', '/slime/test/a', body)).text).toBe('0.0');
  });
});

describe('a response that the length limit cut', () => {
  it('is told by the end mark that the URL names', async () => {
    const server = await openServer({ answers: { mode: 'auto', pattern: null } });
    const ask = (response: string, query: string) =>
      server.send('POST', `/slime/test/a?split=eval${query}`, { prompt: 'Q', response, label: '12' });
    const eos = `&eos=${encodeURIComponent('<|im_end|>')}&eos=${encodeURIComponent('</s>')}`;
    expect((await ask('The answer is 12', '')).text).toBe('1.0');
    expect((await ask('The answer is 12', eos)).text).toBe('0.0');
    expect((await ask('The answer is 12<|im_end|>', eos)).text).toBe('1.0');
    expect((await ask('The answer is 12</s>', eos)).text).toBe('1.0');
    const query = ['QThe answer is 12'];
    const cut = await server.send('POST', `/openrlhf/test/a?split=eval${eos}`, {
      query,
      prompts: ['Q'],
      labels: ['12'],
    });
    expect(cut.body.rewards).toEqual([0]);
  });
});
