import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from './test-server.ts';

function send(server: TestServer, agent: 'a' | 'b', promptId: string, answers: readonly string[], more = {}) {
  const rollouts = answers.map((answer, index) => ({ index, completion: `\\boxed{${answer}}` }));
  return server.submit(agent, { step: 3, groups: [{ prompt_id: promptId, rollouts, ...more }] });
}

async function open(): Promise<TestServer> {
  return openServer({ k: 2, answers: { mode: 'boxed', pattern: null } });
}

describe('GET …/recent', () => {
  it('lists the latest prompts first, each with what it is worth a look for', async () => {
    const server = await open();
    const truth = { ground_truth: '4' };
    await send(server, 'a', 'same', ['4', '4'], truth);
    await send(server, 'b', 'same', ['4', '4'], truth);
    await send(server, 'a', 'apart', ['4', '4'], truth);
    await send(server, 'b', 'apart', ['5', '5'], truth);
    await send(server, 'a', 'even', ['4', '5']);
    await send(server, 'b', 'even', ['4', '4']);
    await send(server, 'a', 'mute', ['', '']);
    await send(server, 'b', 'mute', ['7', '7']);
    await send(server, 'a', 'open', ['1', '1']);
    const { status, body } = await server.get('/v1/cohorts/test/recent');
    expect(status).toBe(200);
    expect(body.prompts.map(({ prompt_id, marks }: never) => [prompt_id, marks])).toEqual([
      ['open', ['waiting']],
      ['mute', ['unlabeled']],
      ['even', ['tie']],
      ['apart', ['disagreement', 'label-wrong']],
      ['same', []],
    ]);
    expect(body.prompts[3]).toEqual({
      prompt_id: 'apart',
      round: 0,
      step: 3,
      marks: ['disagreement', 'label-wrong'],
      labels: [
        { agent: 'a', label: '4' },
        { agent: 'b', label: '5' },
      ],
    });
  });

  it('is empty for a cohort that nothing came to, and 404 for one that there is not', async () => {
    const server = await open();
    expect((await server.get('/v1/cohorts/test/recent')).body).toEqual({ prompts: [] });
    expect((await server.get('/v1/cohorts/nowhere/recent')).body.code).toBe('unknown_cohort');
  });
});

describe('a prompt that is looked at', () => {
  it('tells whether labels are true, by the grader, and nothing where no truth is known', async () => {
    const server = await open();
    await send(server, 'a', 'p', ['0.5', '0.5'], { ground_truth: '1/2' });
    await send(server, 'b', 'p', ['3', '3'], { ground_truth: '1/2' });
    await send(server, 'a', 'q', ['1', '1']);
    await send(server, 'b', 'q', ['1', '1']);
    const known = (await server.get('/v1/cohorts/test/buckets/p')).body.rounds[0].groups;
    expect(known).toMatchObject([
      { agent: 'a', own_label_correct: true, label: '3', label_correct: false },
      { agent: 'b', own_label_correct: false, label: '0.5', label_correct: true },
    ]);
    const unknown = (await server.get('/v1/cohorts/test/buckets/q')).body.rounds[0].groups;
    expect(unknown).toMatchObject([
      { own_label_correct: null, label_correct: null },
      { own_label_correct: null, label_correct: null },
    ]);
  });

  it('shows the problem: as it was sent, else the end of the prompt, at most 2,000 characters of it', async () => {
    const server = await open();
    await send(server, 'a', 'told', ['4', '4'], { problem: 'What is 2 + 2?', prompt: 'user: what?' });
    await send(server, 'a', 'asked', ['4', '4'], { prompt: `${'x'.repeat(5_000)} What is 2 + 2?` });
    await send(server, 'a', 'bare', ['4', '4']);
    await server.advance(1_000);
    const problemOf = async (id: string) => (await server.get(`/v1/cohorts/test/buckets/${id}`)).body.problem;
    expect(await problemOf('told')).toBe('What is 2 + 2?');
    expect(await problemOf('asked')).toHaveLength(2_000);
    expect(await problemOf('asked')).toMatch(/x What is 2 \+ 2\?$/);
    expect(await problemOf('bare')).toBeNull();
  });
});
