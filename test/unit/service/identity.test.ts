import { describe, expect, it } from 'vitest';
import { decided, groupOf, openService, rewardsOf, rolloutOf, wholeGroup } from '../../support/service.ts';

describe('rewards and the rollouts that they belong to', () => {
  it('come in the order sent, whatever order the store has', async () => {
    const scene = await openService({ k: 3 });
    await scene.submit('b', [wholeGroup('p', ['4', '4', '5'])]);
    const shuffled = groupOf('p', [rolloutOf('5', 2), rolloutOf('4', 0), rolloutOf('7', 1)]);
    const result = decided(await scene.submit('a', [shuffled]));
    expect(result.groups[0]?.rollouts.map(({ id, reward }) => [id, reward])).toEqual([
      ['r2', 0],
      ['r0', 1],
      ['r1', 0],
    ]);
  });

  it('keep any mix of prompts apart, in the order of the groups sent', async () => {
    const scene = await openService();
    await scene.submit('b', [wholeGroup('p', ['1', '1']), wholeGroup('q', ['2', '2'])]);
    const { groups } = decided(
      await scene.submit('a', [wholeGroup('q', ['2', '1']), wholeGroup('p', ['2', '1'])]),
    );
    expect(groups.map(({ promptId, rollouts }) => [promptId, rollouts.map(({ reward }) => reward)])).toEqual([
      ['q', [1, 0]],
      ['p', [0, 1]],
    ]);
  });

  it('are given for exactly the part of a group that a submission holds', async () => {
    const scene = await openService({ k: 4 });
    const first = await scene.record('a', [groupOf('p', [rolloutOf('4', 3), rolloutOf('5', 1)])]);
    const second = await scene.record('a', [groupOf('p', [rolloutOf('4', 0), rolloutOf('6', 2)])]);
    await scene.submit('b', [wholeGroup('p', ['4', '4', '4', '4'])]);
    expect(rewardsOf(await scene.now(first))).toEqual([1, 0]);
    expect(rewardsOf(await scene.now(second))).toEqual([1, 0]);
  });

  it('tell the groups of one prompt in one submission apart', async () => {
    const scene = await openService({ k: 4 });
    await scene.submit('b', [wholeGroup('p', ['4', '4', '4', '4'])]);
    const halves = [
      groupOf('p', [rolloutOf('4', 0), rolloutOf('5', 1)]),
      groupOf('p', [rolloutOf('5', 2), rolloutOf('4', 3)]),
    ];
    const { groups } = decided(await scene.submit('a', halves));
    expect(groups.map(({ rollouts }) => rollouts.map(({ reward }) => reward))).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('belong to the round that is sent, not to the latest', async () => {
    const scene = await openService();
    for (const [round, answer] of [
      [0, '4'],
      [1, '5'],
    ] as const) {
      await scene.submit('b', [wholeGroup('p', [answer, answer], { round })]);
    }
    const later = await scene.submit('a', [wholeGroup('p', ['4', '5'], { round: 1 })]);
    const earlier = await scene.submit('a', [wholeGroup('p', ['4', '5'], { round: 0 })]);
    expect([rewardsOf(earlier), rewardsOf(later)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});

describe('a submission', () => {
  it('counts from the moment that it is stored, though nobody waits for its answer', async () => {
    const scene = await openService();
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    expect(rewardsOf(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toEqual([1, 0]);
  });

  it('is not withdrawn by a caller that goes away while it waits', async () => {
    const scene = await openService();
    const caller = new AbortController();
    const ticket = await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    const parked = await scene.park(ticket, 60_000, caller.signal);
    caller.abort();
    expect(await parked.result).toMatchObject({ kind: 'pending' });
    expect(rewardsOf(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toEqual([1, 0]);
    expect(scene.telemetry.waits.map(({ outcome }) => outcome)).toEqual(['aborted', 'decided']);
  });

  it('can be asked for again by its id, as often as one likes', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])], { submissionId: 's-1' });
    const recall = () => scene.rewards.recall('test', 'a', 's-1');
    expect(await scene.now(await recall())).toMatchObject({
      kind: 'pending',
      submissionId: 's-1',
      waitingFor: [{ agent: 'b', promptId: 'p', round: 0, have: 0, need: 2 }],
      waitingForTotal: 1,
    });
    await scene.submit('b', [wholeGroup('p', ['5', '5'])]);
    for (let time = 0; time < 2; time++) {
      expect(rewardsOf(await scene.now(await recall()))).toEqual([0, 1]);
    }
  });

  it('is unknown to another agent, and where it never was', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])], { submissionId: 's-1' });
    await expect(scene.rewards.recall('test', 'b', 's-1')).rejects.toMatchObject({
      code: 'unknown_submission',
    });
    await expect(scene.rewards.recall('test', 'a', 's-2')).rejects.toMatchObject({
      code: 'unknown_submission',
    });
  });

  it('is refused as a whole where a group can never be right, before anything of it is stored', async () => {
    const scene = await openService();
    const groups = [wholeGroup('p', ['4', '4']), wholeGroup('q', ['4', '4', '4'])];
    await expect(scene.record('a', groups)).rejects.toMatchObject({
      code: 'too_many_rollouts',
      details: { k: 2, prompt_ids: ['q'] },
    });
    expect(await scene.store.readPrompt('test', 'p')).toEqual([]);
  });

  it('counts the waiting groups it does not list', async () => {
    const scene = await openService();
    const groups = Array.from({ length: 120 }, (_, at) => wholeGroup(`p${at}`, ['4', '4']));
    const result = await scene.submit('a', groups);
    if (result.kind !== 'pending') throw new Error('expected "pending"');
    expect([result.waitingFor.length, result.waitingForTotal]).toEqual([100, 120]);
  });
});
