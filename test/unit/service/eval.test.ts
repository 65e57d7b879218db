import { describe, expect, it } from 'vitest';
import {
  anonymousGroup,
  decided,
  onlyGroup,
  openService,
  rewardsOf,
  wholeGroup,
} from '../../support/service.ts';

const evalGroup = (answers: readonly (string | null)[], groundTruth: string | null = '4') =>
  wholeGroup('p', answers, { split: 'eval', groundTruth });

describe('an eval group', () => {
  it('is graded against the truth at once, in any size, though nobody else is there', async () => {
    const scene = await openService({ k: 2 });
    const result = await scene.submit('a', [evalGroup(['4', '4.0', '5', null, '4'])]);
    expect(onlyGroup(result)).toMatchObject({
      status: 'eval',
      round: null,
      label: '4',
      rewardSource: 'ground-truth',
      teachers: [],
    });
    expect(rewardsOf(result)).toEqual([1, 1, 0, 0, 1]);
  });

  it('touches no bucket, no visit and no vote', async () => {
    const scene = await openService();
    await scene.submit('a', [evalGroup(['4', '5'])]);
    await scene.submit('b', [evalGroup(['5', '5'])]);
    expect(await scene.store.readPrompt('test', 'p')).toEqual([]);
    expect(scene.telemetry.closed).toEqual([]);
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    expect(await scene.now(ticket)).toMatchObject({ waitingFor: [{ agent: 'b', round: 0, have: 0 }] });
  });

  it('leaves no submission behind that could be asked for', async () => {
    const scene = await openService();
    await scene.record('a', [evalGroup(['4'])], { submissionId: 'e-1' });
    await expect(scene.rewards.recall('test', 'a', 'e-1')).rejects.toMatchObject({
      code: 'unknown_submission',
    });
  });

  it.each([0, null] as const)('without truth is paid %s and says why', async (unlabeledReward) => {
    const scene = await openService({ unlabeledReward });
    const result = await scene.submit('a', [evalGroup(['4', '5'], null)]);
    expect(onlyGroup(result)).toMatchObject({
      status: 'eval',
      rewardSource: 'none',
      reason: 'No ground truth was sent for this eval prompt.',
    });
    expect(rewardsOf(result)).toEqual([unlabeledReward, unlabeledReward]);
  });

  it('names rollouts by their place where they have neither id nor index', async () => {
    const scene = await openService();
    const group = { ...anonymousGroup('p', ['4', '5']), split: 'eval', groundTruth: '5' } as const;
    const { rollouts } = onlyGroup(await scene.submit('a', [group]));
    expect(rollouts.map(({ id, reward }) => [id, reward])).toEqual([
      ['0', 0],
      ['1', 1],
    ]);
  });

  it('is counted apart from training', async () => {
    const scene = await openService();
    await scene.submit('a', [evalGroup(['4', '5', '6'])]);
    await scene.submit('a', [wholeGroup('q', ['4', '5'])]);
    const counts = scene.telemetry.received.filter(({ count }) => count > 0);
    expect(counts.map(({ split, count }) => [split, count])).toEqual([
      ['eval', 3],
      ['train', 2],
    ]);
  });

  it('beside training groups keeps its place among the results', async () => {
    const scene = await openService();
    await scene.submit('b', [wholeGroup('t', ['5', '5'])]);
    const result = await scene.submit('a', [evalGroup(['4']), wholeGroup('t', ['5', '4']), evalGroup(['5'])]);
    expect(decided(result).groups.map(({ status }) => status)).toEqual(['eval', 'scored', 'eval']);
  });
});
