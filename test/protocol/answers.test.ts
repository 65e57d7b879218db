import { describe, expect, it } from 'vitest';
import { openServer } from './test-server.ts';

describe('the answer engine over HTTP', () => {
  it('extracts answers with their keys, in order, and null where there is none', async () => {
    const server = await openServer();
    const reply = await server.send('POST', '/v1/extract', {
      items: [
        { completion: 'So it is \\boxed{\\frac12}.', mode: 'boxed' },
        { completion: 'nothing here', mode: 'boxed' },
        { completion: 'The answer is the sun.', mode: 'choice', choices: ['the moon', 'the sun'] },
        { completion: 'RESULT=7', mode: 'regex', pattern: 'RESULT=(\\d+)' },
        { completion: 'it is \\boxed{4', mode: 'boxed', truncated: true },
      ],
    });
    expect(reply.status).toBe(200);
    const { results } = JSON.parse(reply.text);
    expect(results.map(({ answer }: { answer: string | null }) => answer)).toEqual([
      '\\frac12',
      null,
      'B',
      '7',
      null,
    ]);
    expect(results[1]).toEqual({ answer: null, key: null });
  });

  it('grades as the design’s example, and never credits a truth that does not parse', async () => {
    const server = await openServer();
    const reply = await server.send('POST', '/v1/grade', {
      items: [
        { prediction: '0.5', truth: '\\frac12', mode: 'raw' },
        { prediction: '0.51', truth: '\\frac12' },
        { prediction: 'so \\boxed{0.5}', truth: 0.5, mode: 'boxed' },
        { prediction: '', truth: '4' },
        { prediction: '4', truth: ' ' },
      ],
    });
    const { results } = JSON.parse(reply.text);
    expect(results.map(({ equal, status }: { equal: boolean; status: string }) => [equal, status])).toEqual([
      [true, 'equal'],
      [false, 'different'],
      [true, 'equal'],
      [false, 'unparsable_prediction'],
      [false, 'unparsable_truth'],
    ]);
    expect(results[2].answer).toBe('0.5');
    for (const { reason } of results) expect(reason).toMatch(/\w/);
  });

  it('reads truths as data sets have them, and says which it could not', async () => {
    const server = await openServer();
    const { body } = await server.send('POST', '/v1/grade', {
      items: [
        { prediction: '31', truth: '4*7=<<4*7=28>>28, 28+3=<<28+3=31>>31\n#### 31' },
        { prediction: '28', truth: '4*7=<<4*7=28>>28, 28+3=<<28+3=31>>31\n#### 31' },
        { prediction: '9', truth: 'From $y-4=5$ we get $\\boxed{y=9}$ and nothing else.' },
        { prediction: 'B', truth: '<answer>B</answer>', mode: 'choice' },
        { prediction: 'NYC', truth: ['New York City', 'NYC'] },
        { prediction: 'Paris', truth: { target: ['Paris'] } },
        { prediction: '24', truth: { target: 24, numbers: [2, 3, 4] } },
        { prediction: '4', truth: 'first 3+4=7, then 7*2=14' },
        { prediction: '4', truth: 'x'.repeat(20_000) },
      ],
    });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
      'equal',
      'different',
      'equal',
      'equal',
      'equal',
      'equal',
      'unparsable_truth',
      'unparsable_truth',
      'unparsable_truth',
    ]);
    expect(body.results[6].reason).toBe('the truth is an object with fields other than "target"');
    expect(body.results[8].reason).toBe('the truth has 20000 characters; at most 16384 are read');
  });

  it('follows an item that says who opened the reasoning, or wants an answer that nothing announces', async () => {
    const server = await openServer();
    const completion = 'maybe \\boxed{12}, but check';
    const { body } = await server.send('POST', '/v1/extract', {
      items: [
        { completion, mode: 'boxed' },
        { completion, mode: 'boxed', reasoning: 'opened-by-prompt' },
        { completion: '<think>\\boxed{3}', mode: 'boxed' },
        { completion: '<think>\\boxed{3}', mode: 'boxed', reasoning: 'none' },
        { completion: 'we get $x=5$ from 7 cases' },
        { completion: 'we get $x=5$ from 7 cases', fallback: 'formula' },
        { completion: 'we get $x=5$ from 7 cases', fallback: 'last' },
      ],
    });
    expect(body.results.map(({ answer }: { answer: string | null }) => answer)).toEqual([
      '12',
      null,
      null,
      '3',
      null,
      'x=5',
      '7',
    ]);
    const graded = { prediction: 'we get $x=5$', truth: '5', mode: 'auto', fallback: 'last' };
    expect((await server.send('POST', '/v1/grade', { items: [graded] })).body.results[0].equal).toBe(true);
  });

  it('votes as the design’s example, with the share as a float', async () => {
    const server = await openServer();
    const body = { answers: ['4', '4.0', null, '5'], threshold: 0, tie: 'first' };
    const reply = await server.send('POST', '/v1/vote', body);
    expect(JSON.parse(reply.text)).toMatchObject({ label: '4', votes: 3, tied: false, share: 2 / 3 });
    const all = await server.send('POST', '/v1/vote', { answers: [4, '4'] });
    expect(all.text).toContain('"share":1.0');
  });

  it('lets a rounded decimal vote for the exact answer that it rounds', async () => {
    const server = await openServer();
    const vote = async (answers: readonly string[]) =>
      JSON.parse((await server.send('POST', '/v1/vote', { answers })).text);
    expect(await vote(['0.3333', '\\frac13', '2', '2'])).toMatchObject({
      votes: 4,
      tied: true,
      label: '\\frac13',
    });
    expect(await vote(['2', '2', '0.3333', '\\frac13', '\\frac13'])).toMatchObject({
      label: '\\frac13',
      share: 0.6,
    });
  });

  it.each([
    [
      'a pattern that needs backtracking',
      '/v1/extract',
      { items: [{ completion: 'x', mode: 'regex', pattern: '(a)\\1' }] },
    ],
    [
      'mode regex without a pattern',
      '/v1/grade',
      { items: [{ prediction: 'x', truth: 'x', mode: 'regex' }] },
    ],
    ['a mode that nobody knows', '/v1/extract', { items: [{ completion: 'x', mode: 'guess' }] }],
    ['no items', '/v1/grade', { items: [] }],
    ['too high a threshold', '/v1/vote', { answers: ['4'], threshold: 2 }],
  ])('refuses %s with 422', async (_what, path, body) => {
    const server = await openServer();
    const reply = await server.send('POST', path, body);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([422, 'invalid_request']);
  });
});

describe('a cohort that reads answers as the Co-RL reference does', () => {
  it('votes by its keys and pays by its grader', async () => {
    const server = await openServer({ k: 2, answers: { mode: 'qwen', pattern: null } });
    const body = (answers: readonly string[]) => ({
      groups: [
        {
          prompt_id: 'p',
          rollouts: answers.map((answer, index) => ({ index, completion: `\\boxed{${answer}}` })),
        },
      ],
    });
    await server.submit('b', body(['1,234', '7']));
    const reply = await server.submit('a', body(['1234', '8']));
    expect(JSON.parse(reply.text).groups[0]).toMatchObject({ label: '1,234', rewards: [1, 0] });
  });
});

describe('a cohort that reads answers by a pattern', () => {
  it('takes the last match, and refuses the mode where there is no pattern', async () => {
    const body = (completion: string, mode?: string) => ({
      groups: [{ prompt_id: 'p', mode, rollouts: [{ index: 0, completion }] }],
    });
    const server = await openServer({ k: 1, answers: { mode: 'regex', pattern: 'ANSWER=(\\d+)' } });
    await server.submit('b', body('ANSWER=1 ANSWER=2'));
    expect(JSON.parse((await server.submit('a', body('ANSWER=2'))).text).groups[0].rewards).toEqual([1]);
    const other = await openServer({ k: 1 });
    const refused = await other.submit('a', body('ANSWER=2', 'regex'));
    expect([refused.status, refused.text.includes('answers.pattern')]).toEqual([422, true]);
  });
});
