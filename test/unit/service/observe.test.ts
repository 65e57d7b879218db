import { describe, expect, it } from 'vitest';
import { groupOf, openService, rolloutOf, type ServiceScene, wholeGroup } from '../../support/service.ts';

const settled = (scene: ServiceScene) => scene.telemetry.settled;

describe('what is counted of a group', () => {
  it('is counted once, by the decision that was the last one missing', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    expect(settled(scene)).toEqual([]);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.advance(100_000);
    expect(settled(scene).map(({ agent, status }) => [agent, status])).toEqual([
      ['a', 'scored'],
      ['b', 'scored'],
    ]);
  });

  it('waits for the own group, though its first rollouts were rewarded before', async () => {
    const scene = await openService();
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.submit('a', [groupOf('p', [rolloutOf('4', 0)])]);
    expect(settled(scene)).toEqual([]);
    await scene.submit('a', [groupOf('p', [rolloutOf('5', 1)])]);
    expect(settled(scene).map(({ agent, rewards }) => [agent, rewards])).toEqual([
      ['a', [1, 0]],
      ['b', [1, 1]],
    ]);
  });

  it('holds rewards, answers, lengths and the own label, each of the rollouts that had a vote', async () => {
    const scene = await openService({ k: 4 });
    await scene.record('b', [wholeGroup('p', ['4', '4', '4', '4'], { groundTruth: '4' })]);
    const rollouts = [
      rolloutOf('5', 0, { tokens: 100 }),
      rolloutOf('5', 1, { tokens: 50, truncated: true }),
      rolloutOf('4', 2),
      rolloutOf(null, 3),
    ];
    await scene.record('a', [groupOf('p', rollouts)]);
    await scene.record('a', [groupOf('p', [rolloutOf('4', 9, { tokens: 1_000 })], { round: 0 })]);
    expect(settled(scene)[0]).toEqual({
      cohort: 'test',
      agent: 'a',
      status: 'scored',
      rewards: [0, 0, 1, 0],
      rollouts: 4,
      answered: 3,
      truncated: 1,
      tokens: { sum: 150, count: 2 },
      labeled: true,
      labelCorrect: false,
      tied: false,
      usedLabelCorrect: true,
      unanimous: false,
    });
  });

  it('calls a group unanimous only where every rollout gave the same answer', async () => {
    const scene = await openService();
    for (const [promptId, answers] of [
      ['p', ['4', '4']],
      ['q', ['4', null]],
      ['r', ['4', '5']],
    ] as const) {
      await scene.record('a', [wholeGroup(promptId, answers)]);
      await scene.record('b', [wholeGroup(promptId, ['4', '4'])]);
    }
    const own = settled(scene).filter(({ agent }) => agent === 'a');
    expect(own.map(({ unanimous, tied }) => [unanimous, tied])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  it('leaves null rewards out', async () => {
    const scene = await openService({ unlabeledReward: null });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.advance(60_000);
    expect(settled(scene)).toMatchObject([{ status: 'expired', rewards: [], rollouts: 2 }]);
  });

  it('is nothing for an agent that sent no rollouts', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.skip('b', 'p');
    expect(settled(scene).map(({ agent }) => agent)).toEqual(['a']);
  });
});

describe('the agreement of two agents', () => {
  it('is counted once for each prompt on which both have a label, in the order of the cohort', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'] });
    for (const [agent, answer] of [
      ['c', '4'],
      ['a', '4'],
      ['b', '5'],
    ] as const) {
      await scene.record(agent, [wholeGroup('p', [answer, answer])]);
    }
    await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    expect(scene.telemetry.pairs.map(({ agent, peer, agree }) => [agent, peer, agree])).toEqual([
      ['a', 'b', false],
      ['a', 'c', true],
      ['b', 'c', false],
    ]);
  });

  it('is counted once neither vote can be replaced, so that a restart counts no pair twice', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'] });
    const told = () => scene.telemetry.pairs.map(({ agent, peer, agree }) => `${agent} ${peer} ${agree}`);
    // b learns from a and c from b, which nobody is scored against yet.
    await scene.record('a', [wholeGroup('p', ['4', '4'])], { incarnation: 'a-1' });
    await scene.record('b', [wholeGroup('p', ['4', '4'])], { incarnation: 'b-1' });
    expect(told()).toEqual([]);
    await scene.record('b', [wholeGroup('p', ['5', '5'])], { incarnation: 'b-2' });
    expect(told()).toEqual([]);
    // The first rollout of c decides nothing, and makes the vote of b final.
    await scene.record('c', [wholeGroup('p', ['5'])]);
    expect(told()).toEqual(['a b false']);
    await scene.record('b', [wholeGroup('p', ['6', '6'])], { incarnation: 'b-3' });
    await scene.record('c', [groupOf('p', [rolloutOf('5', 1)])]);
    expect(told()).toEqual(['a b false', 'a c false', 'b c true']);
    await scene.diagnostics.flush();
    const { steps } = await scene.store.readDiagnostics('test', { from: 0, to: 9, most: 9 });
    const compared = (first: string, second: string) =>
      steps.map(({ tally }) => tally.pair(first, second)?.compared);
    expect([compared('a', 'b'), compared('a', 'c'), compared('b', 'c')]).toEqual([[1], [1], [1]]);
  });

  it('is counted where the student of one will never be scored', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'] });
    await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.skip('c', 'p');
    expect(scene.telemetry.pairs.map(({ agent, peer }) => [agent, peer])).toEqual([['a', 'b']]);
  });

  it('is not counted where one has no label', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', [null, null])]);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    expect(scene.telemetry.pairs).toEqual([]);
  });
});

describe('under last-label', () => {
  it('a group is counted when it is decided itself, and not again by its teacher', async () => {
    const scene = await openService({ barrier: { mode: 'last-label', maxStaleness: 1 } });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('b', [wholeGroup('p', ['4', '5'])]);
    expect(settled(scene).map(({ agent, status }) => [agent, status])).toEqual([
      ['a', 'unlabeled'],
      ['b', 'scored'],
    ]);
  });
});
