import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from './test-server.ts';

const AGENTS = ['a', 'b', 'c'];

/** One prompt, every rollout of an agent with the same answer. */
async function send(
  server: TestServer,
  id: string,
  truth: string,
  answers: readonly (string | null)[],
  step = 0,
) {
  for (const [at, answer] of answers.entries()) {
    await server.submit(AGENTS[at] ?? '', {
      step,
      groups: [
        {
          prompt_id: id,
          ground_truth: truth,
          rollouts: [
            { index: 0, answer },
            { index: 1, answer },
          ],
        },
      ],
    });
  }
}

async function figuresOf(server: TestServer, name: string) {
  const { body } = await server.get('/v1/cohorts/test/diagnostics?from=0');
  return body.agents.map(
    ({ overall }: { overall: Record<string, { numerator: number; denominator: number }> }) => {
      const figure = overall[name];
      return [figure?.numerator, figure?.denominator];
    },
  );
}

async function countedOf(server: TestServer, metric: string) {
  const { text } = await server.get('/metrics');
  return AGENTS.map((agent) =>
    ['yes', 'no'].map((correct) =>
      Number(
        new RegExp(`^${metric}\\{cohort="test",agent="${agent}",correct="${correct}"\\} (\\d+)$`, 'm').exec(
          text,
        )?.[1],
      ),
    ),
  );
}

describe('the accuracy of the labels that rewards rest on', () => {
  it.each([
    // Of each agent: right, of how many. Its own labels are another figure.
    [
      'ring',
      [
        [1, 2],
        [2, 2],
        [1, 2],
      ],
    ],
    [
      'peer-majority',
      [
        [0, 0],
        [1, 1],
        [0, 0],
      ],
    ],
    [
      'pooled',
      [
        [0, 0],
        [1, 1],
        [1, 1],
      ],
    ],
  ] as const)('is that of the teachers or the pool, by the grader: %s', async (kind, expected) => {
    const server = await openServer({
      agents: AGENTS,
      supervision: kind === 'ring' ? { kind, direction: 'predecessor' } : { kind },
      vote: { tie: 'discard' },
    });
    await send(server, 'p', '\\pi', ['3.1415926', '\\pi', '3']);
    await send(server, 'q', '4', ['4', '5', '4']);
    // In the ring a learns from c, b from a, c from b.
    const found = await figuresOf(server, 'used_label_accuracy');
    expect(found).toEqual(expected);
  });

  it('is counted for Prometheus as in the diagnostics, and never where there is no truth', async () => {
    const server = await openServer({ agents: AGENTS });
    await send(server, 'p', '4', ['4', '5', '4']);
    await server.submit('a', {
      groups: [
        {
          prompt_id: 'blind',
          rollouts: [
            { index: 0, answer: '4' },
            { index: 1, answer: '4' },
          ],
        },
      ],
    });
    await server.submit('c', {
      groups: [
        {
          prompt_id: 'blind',
          rollouts: [
            { index: 0, answer: '4' },
            { index: 1, answer: '4' },
          ],
        },
      ],
    });
    expect(await countedOf(server, 'peervote_used_labels_graded_total')).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    expect(await countedOf(server, 'peervote_labels_graded_total')).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
  });
});

describe('the accuracy of evaluation', () => {
  it('is counted by agent and step, and apart from training', async () => {
    const server = await openServer({ agents: AGENTS });
    await send(server, 'p', '4', ['4', '4', '4']);
    const evaluate = (step: number, answers: readonly string[], truth?: string) =>
      server.submit('a', {
        step,
        split: 'eval',
        groups: [
          {
            prompt_id: `e${step}`,
            ground_truth: truth,
            rollouts: answers.map((answer, index) => ({ index, answer })),
          },
        ],
      });
    await evaluate(0, ['4', '5', '5', '5'], '4');
    await evaluate(10, ['4', '4', '4', '5'], '4');
    await evaluate(10, ['4', '4']);
    const { body } = await server.get('/v1/cohorts/test/diagnostics');
    const series = body.agents[0].series.eval_accuracy;
    const at = (step: number) => body.steps.indexOf(step);
    expect([series.value[at(0)], series.value[at(10)]]).toEqual([0.25, 0.75]);
    expect(await figuresOf(server, 'eval_accuracy')).toEqual([
      [4, 8],
      [0, 0],
      [0, 0],
    ]);
    expect(await countedOf(server, 'peervote_eval_answers_graded_total')).toEqual([
      [4, 4],
      [0, 0],
      [0, 0],
    ]);
  });
});
