import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../../src/domain/bucket.ts';
import { DEFAULT_METHOD_OPTIONS } from '../../../src/domain/method-options.ts';
import { maporl } from '../../../src/methods/maporl.ts';
import { turnBonus } from '../../../src/methods/maporl-bonus.ts';
import { type TurnScores, turnReturn } from '../../../src/methods/maporl-returns.ts';
import { agentOf, buildCohort, buildGroup, buildStored, buildTruth } from '../../support/builders.ts';

const rules = DEFAULT_METHOD_OPTIONS.maporl;
const scores: TurnScores = [
  [0.2, 0.9],
  [0.8, 0.6],
  [1, 0.5],
];

/** Every agent's return at every turn. */
function returnsOf(table: TurnScores, overrides: Partial<typeof rules> = {}, finish = table.length - 1) {
  return table.map((row, turn) =>
    row.map((_, agent) => turnReturn(table, { turn, agent, finish }, { ...rules, ...overrides })),
  );
}

function bonusesOf(table: TurnScores, convention: 'paper' | 'code', alpha = [1, 2, 0.5, 0.25] as const) {
  const finish = table.length - 1;
  return table.map((row, turn) =>
    row.map((_, agent) => turnBonus(table, { turn, agent, finish }, { alpha, convention })),
  );
}

function expectClose(
  actual: readonly (readonly (number | null)[])[],
  expected: readonly (readonly number[])[],
) {
  expect(actual.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  for (const [turn, row] of expected.entries()) {
    for (const [agent, value] of row.entries()) expect(actual[turn]?.[agent]).toBeCloseTo(value, 12);
  }
}

describe('the returns of the reference', () => {
  it('discount the mean score of all agents', () => {
    // By hand for turn 0, agent 0: (0.2 + 0.3 * 0.7 + 0.09 * 0.75) / 1.39.
    expectClose(returnsOf(scores), [
      [0.3435251798561151, 0.8471223021582733],
      [0.7884615384615383, 0.6346153846153846],
      [1, 0.5],
    ]);
  });

  it("discount the agent's own score", () => {
    expectClose(returnsOf(scores, { share: 'individual' }), [
      [0.38129496402877694, 0.8093525179856115],
      [0.8461538461538461, 0.5769230769230769],
      [1, 0.5],
    ]);
  });

  it('are the plain scores of the last or the current turn', () => {
    expectClose(returnsOf(scores, { horizon: 'last' }), [
      [0.75, 0.75],
      [0.75, 0.75],
      [0.75, 0.75],
    ]);
    expect(returnsOf(scores, { horizon: 'last', share: 'individual' })[0]).toEqual([1, 0.5]);
    expect(returnsOf(scores, { horizon: 'current', share: 'individual' })).toEqual(scores);
    expectClose(returnsOf(scores, { horizon: 'current' }), [
      [0.55, 0.55],
      [0.7, 0.7],
      [0.75, 0.75],
    ]);
  });

  it('end where the conversation ended: its last turn has its own score, later ones have none', () => {
    expectClose(returnsOf(scores, {}, 1).slice(0, 2), [
      [0.3153846153846154, 0.8538461538461539],
      [0.8, 0.6],
    ]);
    expect(returnsOf(scores, {}, 1)[2]).toEqual([null, null]);
  });

  it('lie within the scores that they are made of', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    const table = fc.array(fc.tuple(score, score, score), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, fc.double({ min: 0, max: 1, noNaN: true }), (turns, gamma) => {
        for (const value of returnsOf(turns, { gamma }).flat()) {
          expect(value).toBeGreaterThanOrEqual(-1e-12);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});

describe('the bonus', () => {
  const two: TurnScores = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const three: TurnScores = [
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 0],
  ];

  it('is that of the reference code', () => {
    expectClose(bonusesOf(two, 'code'), [
      [0, 0],
      [-0.999, 0.75],
      [1, 0],
    ]);
    expectClose(bonusesOf(three, 'code'), [
      [0, 0, 0],
      [0.25, 0, 1],
      [1, 0, 0],
    ]);
  });

  it('turns the sign of what others do next in the convention of the paper, and marks nothing with -1', () => {
    expectClose(bonusesOf(two, 'paper'), [
      [0, 0],
      [-1, 1.25],
      [1, 0],
    ]);
    expectClose(bonusesOf(three, 'paper'), [
      [0, 0, 0],
      [-0.25, 0, 1],
      [1, 0, 0],
    ]);
  });

  it('pays an agent that is alone for its own change only', () => {
    expect(bonusesOf([[0], [1], [0]], 'paper')).toEqual([[0], [2], [-2]]);
  });

  it('is 0 where others are exactly undecided, after the end, and without weights', () => {
    expect(
      turnBonus(
        [
          [1, 0.5],
          [0, 0.5],
        ],
        { turn: 1, agent: 0, finish: 1 },
        rules,
      ),
    ).toBe(0);
    expect(turnBonus(two, { turn: 2, agent: 0, finish: 1 }, { ...rules, alpha: [1, 1, 1, 1] })).toBe(0);
    expect(bonusesOf(two, 'code', [0, 0, 0, 0] as never).flat()).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('maporl', () => {
  const cohort = buildCohort({ method: 'maporl', agents: ['a', 'b'] });

  function sent(
    interaction: string,
    turn: number,
    score?: number,
    overrides: Partial<Rollout> = {},
  ): Rollout {
    const signals = { interaction, turn, ...(score !== undefined && { score }) };
    return buildStored(`${interaction}${turn}`, '4', { signals, ...overrides });
  }

  function judge(
    name: string,
    rollouts: Readonly<Record<string, readonly Rollout[]>>,
    truth = null as ReturnType<typeof buildTruth> | null,
    of = cohort,
  ) {
    const groupOf = (agent: string) =>
      buildGroup(agent, [], {
        rollouts: rollouts[agent] ?? [],
        ...(rollouts[agent] === undefined && { state: 'empty', cause: 'deadline' }),
      });
    const teachers = maporl
      .waitsFor(of, agentOf(of, name), null)
      .map((agent) => ({ agent, round: 0, group: groupOf(agent) }));
    const own = groupOf(name);
    const judgement = maporl.judge({
      cohort: of,
      agent: agentOf(of, name),
      promptId: 'p',
      round: 0,
      own,
      truth,
      teachers,
    });
    return {
      ...judgement,
      rewards: own.rollouts.map(judgement.reward),
      reasons: own.rollouts.map((rollout) => judgement.reasonOf?.(rollout) ?? null),
    };
  }

  it('rewards every turn of every conversation, whatever the order they came in', () => {
    const a = [sent('x', 2, 1), sent('x', 0, 0.2), sent('x', 1, 0.8), sent('y', 0, 0.5)];
    const b = [sent('y', 0, 0.7), sent('x', 0, 0.9), sent('x', 1, 0.6), sent('x', 2, 0.5)];
    const judged = judge('a', { a, b });
    expect(judged).toMatchObject({ status: 'scored', source: 'verifier', teachers: ['a', 'b'] });
    expectClose([judged.rewards], [[1, 0.3435251798561151, 0.7884615384615383, 0.5]]);
  });

  it('adds the bonus to the return', () => {
    const paid = buildCohort({
      ...cohort,
      options: { maporl: { ...rules, horizon: 'current', share: 'individual', alpha: [1, 2, 0.5, 0.25] } },
    });
    const a = [sent('x', 0, 1), sent('x', 1, 0), sent('x', 2, 1)];
    const b = [sent('x', 0, 0), sent('x', 1, 1), sent('x', 2, 1)];
    expect(judge('a', { a, b }, null, paid).rewards).toEqual([1, -1, 2]);
  });

  it('takes equality with the truth for a score that nobody gave, and says so', () => {
    const a = [sent('x', 0, undefined, { answer: '4' })];
    const b = [sent('x', 0, undefined, { answer: '5' })];
    expect(judge('a', { a, b }, buildTruth('4'))).toMatchObject({ source: 'ground-truth', rewards: [1] });
    expect(judge('b', { a, b }, buildTruth('4')).rewards).toEqual([0]);
    expect(judge('a', { a, b }).reasons).toEqual([
      'Its conversation is not whole: turn 0 of "a" has no score, and there is no ground truth.',
    ]);
  });

  it('does not look at the truth where every turn has a score', () => {
    const a = [sent('x', 0, 0.25, { answer: '4' })];
    const b = [sent('x', 0, 1, { answer: '5' })];
    expect(judge('a', { a, b }, buildTruth('4'))).toMatchObject({ source: 'verifier', rewards: [0.25] });
  });

  it.each([
    ['a turn of a peer is missing', [sent('x', 0, 1)], 'turn 1 of "b" is missing'],
    [
      'a turn came twice',
      [sent('x', 0, 1), sent('x', 1, 1), sent('x', 1, 1, { id: 'again' })],
      '"b" sent turn 1 twice',
    ],
  ])('has no reward where %s', (_, b, reason) => {
    const judged = judge('a', { a: [sent('x', 0, 1), sent('x', 1, 1)], b });
    expect(judged.rewards).toEqual([null, null]);
    expect(judged.reasons[0]).toBe(`Its conversation is not whole: ${reason}.`);
  });

  it('leaves late turns out, so that what was rewarded stays as it was', () => {
    const a = [sent('x', 0, 1), sent('x', 1, 1, { late: true })];
    expect(judge('a', { a, b: [sent('x', 0, 0)] })).toMatchObject({
      rewards: [1, null],
      reasons: [null, 'It came after its conversation was rewarded.'],
    });
  });

  it('is expired for all where an agent never came', () => {
    expect(judge('a', { a: [sent('x', 0, 1)] })).toMatchObject({ status: 'expired', rewards: [0] });
  });
});
