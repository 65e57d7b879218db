import { describe, expect, it } from 'vitest';
import { DEFAULT_REWARD_RULES, type RewardRules } from '../../../src/domain/reward-rules.ts';
import { decided, openService, type ServiceScene, wholeGroup } from '../../support/service.ts';

const rules = (some: Partial<RewardRules>): RewardRules => ({ ...DEFAULT_REWARD_RULES, ...some });
const FLIP_GATE = { flipPenalty: 0.5, confidentPenalty: 0.3, tauFlip: 0.3, tauShare: 0.6, floor: 0.1 };

async function rewardsOf(scene: ServiceScene, agent: string, promptId: string, answers: string[], round = 0) {
  const result = decided(await scene.submit(agent, [wholeGroup(promptId, answers, { round })]));
  return result.groups[0]?.rollouts.map(({ reward }) => reward);
}

describe('the flip gate', () => {
  it('weighs a round down whose label is not that of the round before, also when it is asked again', async () => {
    const scene = await openService({ reward: rules({ flipGate: FLIP_GATE }) });
    await scene.record('b', [wholeGroup('p', ['5', '5'], { round: 0 })]);
    expect(await rewardsOf(scene, 'a', 'p', ['5', '4'])).toEqual([1, 0]);
    await scene.record('b', [wholeGroup('p', ['4', '4'], { round: 1 })]);
    expect(await rewardsOf(scene, 'a', 'p', ['4', '5'], 1)).toEqual([expect.closeTo(0.35), 0]);
    await scene.record('b', [wholeGroup('p', ['4', '4'], { round: 2 })]);
    expect(await rewardsOf(scene, 'a', 'p', ['4', '5'], 2)).toEqual([1, 0]);
    expect(await rewardsOf(scene, 'a', 'p', ['4', '5'], 1)).toEqual([expect.closeTo(0.35), 0]);
  });

  it('takes a round that was opened before the earlier one was decided as the first', async () => {
    const scene = await openService({ reward: rules({ flipGate: FLIP_GATE }) });
    await scene.record('b', [wholeGroup('p', ['4', '4'], { round: 1 })]);
    await scene.record('b', [wholeGroup('p', ['5', '5'], { round: 0 })]);
    expect(await rewardsOf(scene, 'a', 'p', ['4', '5'], 1)).toEqual([1, 0]);
  });

  it('sees no flip in another prompt', async () => {
    const scene = await openService({ reward: rules({ flipGate: FLIP_GATE }) });
    await scene.record('b', [
      wholeGroup('p', ['5', '5'], { round: 0 }),
      wholeGroup('q', ['4', '4'], { round: 1 }),
    ]);
    expect(await rewardsOf(scene, 'a', 'q', ['4', '5'], 1)).toEqual([1, 0]);
  });
});

describe('rules that read the own group', () => {
  const weighed = { reward: rules({ weight: 'tv' }), k: 2 } as const;

  it('pay a partial group, and what comes late, by the same weight', async () => {
    const scene = await openService(weighed);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('a', [wholeGroup('p', ['4'])]);
    await scene.skip('a', 'p');
    expect(await rewardsOf(scene, 'a', 'p', ['4', '5'])).toEqual([0, 0]);
    const halves = await openService({ ...weighed, reward: rules({ weight: 'tv', minWeight: 0.5 }) });
    await halves.record('b', [wholeGroup('p', ['4', '4'])]);
    await halves.record('a', [wholeGroup('p', ['4'])]);
    await halves.skip('a', 'p');
    expect(await rewardsOf(halves, 'a', 'p', ['4', '5'])).toEqual([0.5, 0]);
  });

  it('end the wait for the own group at its deadline', async () => {
    const scene = await openService(weighed);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    const ticket = await scene.record('a', [wholeGroup('p', ['5'])]);
    expect(await scene.now(ticket)).toMatchObject({
      kind: 'pending',
      waitingFor: [{ agent: 'a', have: 1, need: 2 }],
    });
    await scene.advance(60_000);
    expect(decided(await scene.now(ticket)).groups[0]).toMatchObject({ status: 'scored', rewardWeight: 1 });
  });
});
