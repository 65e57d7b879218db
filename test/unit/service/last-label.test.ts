import { describe, expect, it } from 'vitest';
import { groupOf, onlyGroup, openService, rewardsOf, rolloutOf, wholeGroup } from '../../support/service.ts';

const open = (maxStaleness = 1) => openService({ barrier: { mode: 'last-label', maxStaleness } });

describe('barrier last-label', () => {
  it('answers at once, unlabeled, while the teacher has no label of the prompt yet', async () => {
    const scene = await open();
    const result = await scene.submit('a', [wholeGroup('p', ['4', '5'])]);
    expect(onlyGroup(result)).toMatchObject({
      status: 'unlabeled',
      staleness: 0,
      reason: 'b has no label for this prompt from the last 1 round.',
    });
    expect(rewardsOf(result)).toEqual([0, 0]);
  });

  it("answers from the teacher's latest label and says how old it is", async () => {
    const scene = await open();
    await scene.submit('b', [wholeGroup('p', ['5', '5'])]);
    expect(onlyGroup(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toMatchObject({
      status: 'scored',
      label: '5',
      staleness: 0,
    });
    const next = await scene.submit('a', [wholeGroup('p', ['5', '6'])]);
    expect(onlyGroup(next)).toMatchObject({ round: 1, label: '5', staleness: 1 });
    expect(rewardsOf(next)).toEqual([1, 0]);
  });

  it('takes no label that is older than max_staleness', async () => {
    const scene = await open(1);
    await scene.submit('b', [wholeGroup('p', ['5', '5'], { round: 0 })]);
    for (const [round, status] of [
      [1, 'scored'],
      [2, 'unlabeled'],
    ] as const) {
      const result = await scene.submit('a', [wholeGroup('p', ['4', '5'], { round })]);
      expect(onlyGroup(result).status).toBe(status);
    }
  });

  it('scores a whole group against one label, though the teacher votes anew in between', async () => {
    const scene = await open(5);
    await scene.submit('b', [wholeGroup('p', ['5', '5'])]);
    const first = await scene.submit('a', [groupOf('p', [rolloutOf('5', 0)])]);
    await scene.submit('b', [wholeGroup('p', ['6', '6'])]);
    const second = await scene.submit('a', [groupOf('p', [rolloutOf('5', 1)])]);
    expect([rewardsOf(first), rewardsOf(second)]).toEqual([[1], [1]]);
    expect(onlyGroup(await scene.submit('a', [wholeGroup('p', ['5', '6'])])).label).toBe('6');
  });

  it('never parks a request and opens no group for the teacher', async () => {
    const scene = await open();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    const parked = await scene.park(ticket);
    expect(await parked.result).toMatchObject({ kind: 'decided' });
    expect(await scene.store.countOpenBuckets('test')).toBe(0);
  });

  it('takes up the label that the deadline of an unfinished group decides', async () => {
    const scene = await open();
    await scene.submit('b', [groupOf('p', [rolloutOf('5', 0)])]);
    expect(onlyGroup(await scene.submit('a', [wholeGroup('p', ['4', '5'])])).status).toBe('unlabeled');
    await scene.advance(60_000);
    const next = onlyGroup(await scene.submit('a', [wholeGroup('p', ['5', '6'])]));
    expect(next).toMatchObject({ round: 1, label: '5', staleness: 1 });
  });

  it('lets ttrl reward by the label of the visit before', async () => {
    const scene = await openService({
      method: 'ttrl',
      agents: ['a'],
      barrier: { mode: 'last-label', maxStaleness: 1 },
    });
    expect(onlyGroup(await scene.submit('a', [wholeGroup('p', ['4', '4'])])).status).toBe('unlabeled');
    const next = await scene.submit('a', [wholeGroup('p', ['5', '4'])]);
    expect(onlyGroup(next)).toMatchObject({ label: '4', staleness: 1, rewardSource: 'self-vote' });
    expect(rewardsOf(next)).toEqual([0, 1]);
  });
});
