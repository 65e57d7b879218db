import { expect, it } from 'vitest';
import { openServer } from './test-server.ts';

const PROMPTS = 60;

/** Two agents that agree on every prompt, without a truth; `answerTo` a prompt is what both say. */
async function figuresOf(answerTo: (prompt: number) => string) {
  const server = await openServer();
  for (const agent of ['a', 'b']) {
    const groups = Array.from({ length: PROMPTS }, (_, at) => {
      const answer = answerTo(at);
      return {
        prompt_id: `p${at}`,
        rollouts: [
          { index: 0, answer },
          { index: 1, answer },
        ],
      };
    });
    await server.submit(agent, { step: 1, groups });
  }
  await server.advance(20_000);
  await server.watch();
  const { body } = await server.get('/v1/cohorts/test/diagnostics');
  const { text } = await server.get('/metrics');
  const { overall } = body.agents[0];
  const chance = (agree: string) =>
    Number(
      new RegExp(`^peervote_chance_agreement_total\\{.*agree="${agree}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );

  const state = await server.get('/v1/cohorts/test');
  return {
    agreement: body.pairs[0].overall.agreement.value,
    beyond: body.pairs[0].overall.agreement_beyond_chance.value,
    commonest: overall.commonest_label_share.value,
    distinct: overall.distinct_labels_per_100.value,
    chance: [chance('yes'), chance('no')],
    findings: state.body.verdict.findings.map(({ code }: { code: string }) => code),
  };
}

it('a run that answers everything with 0 is told from one that is solved, without a truth: figures, metrics and verdict', async () => {
  expect(await figuresOf(() => '0')).toEqual({
    agreement: 1,
    beyond: 0,
    commonest: 1,
    distinct: expect.closeTo(3, 0),
    chance: [expect.any(Number), 0],
    findings: ['collapse', 'collapse'],
  });
  expect(await figuresOf((prompt) => `${prompt}`)).toEqual({
    agreement: 1,
    beyond: 1,
    commonest: expect.toSatisfy((share: number) => share < 0.1),
    distinct: 100,
    chance: [0, expect.any(Number)],
    findings: [],
  });
});

it('agreement on a choice of four counts for what it is beyond a quarter', async () => {
  const { agreement, beyond, commonest } = await figuresOf((prompt) => 'ABCD'[prompt % 4] ?? '');
  expect(agreement).toBe(1);
  expect(beyond).toBeCloseTo(1, 5);
  expect(commonest).toBeGreaterThan(0.2);
});
