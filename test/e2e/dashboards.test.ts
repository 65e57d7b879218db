import { describe, expect, it, onTestFinished } from 'vitest';
import { DASHBOARDS } from '../../scripts/generate-dashboards.ts';
import { ServerProcess } from '../integration/server-process.ts';
import { FakeEndpoint } from '../support/fake-endpoint.ts';
import { Prometheus } from '../support/prometheus.ts';
import { RedisServer } from '../support/redis-server.ts';

const AGENTS = ['qwen', 'llama'] as const;

/** One prompt by both agents: labels that differ now and then, ties, an answer missing, a completion cut off, an odd truth. */
async function play(url: string, round: number): Promise<void> {
  const answers = {
    qwen: ['4', '4', '5', null],
    llama: round % 3 === 0 ? ['5', '5', '6', '7'] : ['4', '4', '4', '4'],
  };
  const posts = AGENTS.map((agent) => {
    const rollouts = answers[agent].map((answer, index) => ({
      index,
      answer,
      tokens: 100 + index,
      truncated: index === 3,
    }));
    const contradicts = agent === 'llama' && round % 8 === 7;
    const truth = round % 8 === 3 ? { nobody: 'reads this' } : round % 4 === 1 || contradicts ? '9' : '4';
    const group = { prompt_id: `p${round}`, ground_truth: truth, rollouts };
    return post(`${url}/v1/cohorts/math/agents/${agent}/rollouts?wait=1`, { step: round, groups: [group] });
  });
  await Promise.all(posts);
  const rollouts = [{ index: 0, answer: '4' }];
  const group = { prompt_id: 'held out', ground_truth: round % 2 === 0 ? '4' : '5', rollouts };
  await post(`${url}/v1/cohorts/math/agents/qwen/rollouts`, { step: round, split: 'eval', groups: [group] });
}

/** A cohort whose completions a judge scores. */
async function playJudged(url: string, round: number): Promise<void> {
  const rollouts = [0, 1].map((index) => ({ index, completion: `It is ${round + index}.` }));
  await post(`${url}/v1/cohorts/judged/agents/a/rollouts?wait=1`, {
    groups: [{ prompt_id: `p${round}`, problem: 'What is it?', rollouts }],
  });
}

/** A cohort whose answers are programs, each another one. */
async function playPrograms(url: string, round: number): Promise<void> {
  const rollouts = [{ index: 0, completion: `def f(x):\n    return x + ${round}` }];
  const group = { prompt_id: `c${round}`, mode: 'code', test_code: `assert f(1) == ${1 + round}`, rollouts };
  await post(`${url}/v1/cohorts/programs/agents/a/rollouts?wait=1`, { groups: [group] });
}

async function post(url: string, body: object, method = 'POST'): Promise<void> {
  await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('the dashboards over a real Prometheus', () => {
  it('have data in every panel of a server under load', async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const judge = await FakeEndpoint.start();
    const flags = [
      '--port',
      '0',
      '--redis',
      redis.url,
      '--cohort',
      'math',
      '--agents',
      AGENTS.join(),
      '--k',
      '4',
      ...['--judge-url', judge.url, '--judge-model', 'judge', '--judge-max-requests', '1000000'],
    ];
    const url = await new ServerProcess(flags).listening();
    const prometheus = await Prometheus.start([new URL(url).host]);
    await post(`${url}/v1/cohorts/judged`, { agents: ['a'], k: 2, method: 'llm-judge' }, 'PUT');
    await post(`${url}/v1/cohorts/chooses`, { agents: ['a', 'b', 'c'], supervision: 'adaptive' }, 'PUT');
    const programs = { agents: ['a'], k: 1, method: 'ttrl', answers: { mode: 'code' } };
    await post(`${url}/v1/cohorts/programs`, programs, 'PUT');
    // One agent is waited for all the time.
    const waits = { prompt_id: 'waits', rollouts: [{ index: 0, answer: '4' }] };
    await post(`${url}/v1/cohorts/math/agents/qwen/rollouts`, { groups: [waits] });

    const queries = Object.values(DASHBOARDS).flatMap(({ title, panels }) =>
      panels.flatMap((panel) =>
        panel.queries.map(([expression, legend]) => ({
          name: `${title} / ${panel.title} / ${legend}`,
          query: expression
            .replaceAll('$cohort', expression.includes('teacher_changes') ? 'chooses' : 'math')
            .replaceAll('$window', '1m'),
        })),
      ),
    );
    let empty = queries;
    for (let round = 0; empty.length > 0; round++) {
      await play(url, round);
      if (round % 5 === 0) await Promise.all([playJudged(url, round), playPrograms(url, round)]);
      if (round % 10 !== 9) continue;
      const teachers = { a: round % 20 === 9 ? 'b' : 'c' };
      await post(`${url}/v1/cohorts/chooses/plan`, { teachers, frozen: true }, 'PUT');
      const counts = await Promise.all(empty.map(({ query }) => prometheus.count(query)));
      empty = empty.filter((_, at) => counts[at] === 0);
      if (round > 400) break;
    }
    expect(empty.map(({ name }) => name)).toEqual([]);
  }, 90_000);
});
