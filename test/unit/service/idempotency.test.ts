import { describe, expect, it } from 'vitest';
import {
  anonymousGroup,
  groupOf,
  onlyGroup,
  openService,
  rewardsOf,
  rolloutOf,
  type ServiceScene,
  until,
  wholeGroup,
} from '../../support/service.ts';

/** How many rollouts of this agent the store holds of prompt p, and how many of them vote. */
async function count(scene: ServiceScene, agent: string): Promise<{ stored: number; late: number }> {
  const [bucket] = await scene.store.readPrompt('test', 'p');
  const rollouts = bucket?.groups.get(agent)?.rollouts ?? [];
  return { stored: rollouts.length, late: rollouts.filter(({ late }) => late).length };
}

const withIndexOnly = (answer: string, index: number) => rolloutOf(answer, index, { id: null });

describe('a submission that is sent again', () => {
  it.each([
    ['ids', [rolloutOf('4', 0), rolloutOf('5', 1)], {}],
    ['indices only', [withIndexOnly('4', 0), withIndexOnly('5', 1)], {}],
    ['a submission id only', [rolloutOf('4', null), rolloutOf('4', null)], { submissionId: 's-1' }],
  ])('adds nothing and gets the same rewards, with %s', async (_how, rollouts, overrides) => {
    const scene = await openService({ k: 3 });
    const first = await scene.record('a', [groupOf('p', rollouts)], overrides);
    const second = await scene.record('a', [groupOf('p', rollouts)], overrides);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
    await scene.submit('b', [wholeGroup('p', ['4', '4', '4'])]);
    const replies = [
      await scene.now(first),
      await scene.now(second),
      await scene.submit('a', [groupOf('p', rollouts)], overrides),
    ].map((reply) => JSON.stringify(onlyGroup(reply)));
    expect(new Set(replies).size).toBe(1);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
  });

  it('gets the same rewards for at least half an hour after the decision', async () => {
    const scene = await openService({ barrier: { deadlineMs: 10_000_000 } });
    const group = wholeGroup('p', ['4', '5']);
    await scene.submit('a', [group]);
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.advance(30 * 60_000 - 1);
    expect(rewardsOf(await scene.submit('a', [group]))).toEqual([1, 0]);
  });

  it('may share some rollouts with an earlier one', async () => {
    const scene = await openService({ k: 3 });
    await scene.record('a', [groupOf('p', [rolloutOf('4', 0), rolloutOf('5', 1)])]);
    await scene.record('a', [groupOf('p', [rolloutOf('5', 1), rolloutOf('6', 2)])]);
    expect(await count(scene, 'a')).toEqual({ stored: 3, late: 0 });
  });

  it('is refused with another text under a known id, and the first text stays', async () => {
    const scene = await openService({ k: 3 });
    await scene.record('a', [groupOf('p', [rolloutOf('4', 0)], { round: 0 })]);
    await expect(
      scene.record('a', [groupOf('p', [rolloutOf('5', 0)], { round: 0 }), wholeGroup('q', ['1', '2', '3'])]),
    ).rejects.toMatchObject({
      code: 'rollout_conflict',
      details: { conflicts: [{ rollout_id: 'r0', round: 0 }] },
    });
    const [bucket] = await scene.store.readPrompt('test', 'p');
    expect(bucket?.groups.get('a')?.rollouts.map(({ answer }) => answer)).toEqual(['4']);
    expect(await scene.store.readPrompt('test', 'q')).toHaveLength(1);
  });

  it('is refused with another ground truth where rewards come from it, also from another agent', async () => {
    const scene = await openService({ method: 'ground-truth' });
    await scene.record('a', [wholeGroup('p', ['4', '5'], { groundTruth: '4' })]);
    await expect(
      scene.record('b', [wholeGroup('p', ['4', '5'], { groundTruth: '5'.repeat(100) })]),
    ).rejects.toMatchObject({
      code: 'ground_truth_conflict',
      details: { conflicts: [{ stored: '4', sent: `${'5'.repeat(79)}…`, round: 0 }] },
    });
    await scene.record('b', [wholeGroup('p', ['4', '5'], { groundTruth: ' 4.0' })]);
  });

  it('is refused where new ids come for one round without end', async () => {
    const scene = await openService();
    const send = (visit: number) =>
      scene.record('a', [groupOf('p', [rolloutOf('4', null, { id: `v${visit}` })], { round: 0 })]);
    for (let visit = 0; visit < 32; visit++) await send(visit);
    await expect(send(32)).rejects.toMatchObject({
      code: 'too_many_rollouts',
      details: { k: 2, limit: 32, round: 0 },
    });
  });
});

describe('rollouts without id or index', () => {
  it('are two votes when two live callers send the same text', async () => {
    const scene = await openService({ k: 3 });
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
  });

  it('are two votes when one submission holds the same text twice, in one group or in two', async () => {
    const scene = await openService({ k: 4 });
    await scene.record('a', [
      anonymousGroup('p', ['4', '4']),
      anonymousGroup('p', ['4']),
      anonymousGroup('p', ['4']),
    ]);
    expect(await count(scene, 'a')).toEqual({ stored: 4, late: 0 });
  });

  it('re-attach to what a caller left that went away while it waited', async () => {
    const scene = await openService({ k: 2 });
    const caller = new AbortController();
    const first = await scene.record('a', [anonymousGroup('p', ['4'])]);
    const parked = await scene.park(first, 60_000, caller.signal);
    caller.abort();
    await parked.result;
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    expect(await count(scene, 'a')).toEqual({ stored: 1, late: 0 });
  });

  it('re-attach after a wait that ended without a decision', async () => {
    const scene = await openService({ k: 2 });
    const parked = await scene.park(await scene.record('a', [anonymousGroup('p', ['4'])]), 170_000);
    scene.clock.advance(170_000);
    expect(await parked.result).toMatchObject({ kind: 'pending' });
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    expect(await count(scene, 'a')).toEqual({ stored: 1, late: 0 });
  });

  it('re-attach one by one, so that K identical texts stay K votes however often they come again', async () => {
    const scene = await openService({ k: 3 });
    const attempt = () =>
      Promise.all(
        [1, 2, 3].map(async () => scene.submit('a', [anonymousGroup('p', ['4'])], { incarnation: 'i' })),
      );
    await attempt();
    await attempt();
    await attempt();
    expect(await count(scene, 'a')).toEqual({ stored: 3, late: 0 });
    await scene.submit('b', [wholeGroup('p', ['4', '4', '4'])]);
    for (const reply of await attempt()) expect(rewardsOf(reply)).toEqual([1]);
    expect(await count(scene, 'a')).toEqual({ stored: 3, late: 0 });
  });

  it('re-attach after the decision, to the same reward', async () => {
    const scene = await openService({ k: 2 });
    await scene.submit('a', [anonymousGroup('p', ['4', '5'])]);
    await scene.submit('b', [wholeGroup('p', ['5', '5'])]);
    expect(rewardsOf(await scene.submit('a', [anonymousGroup('p', ['4', '5'])]))).toEqual([0, 1]);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
  });

  it('re-attach after another group of their submission was refused', async () => {
    const scene = await openService({ limits: { openBuckets: 1 } });
    const groups = [anonymousGroup('p', ['4']), anonymousGroup('q', ['4'])];
    for (let time = 0; time < 3; time++) {
      await expect(scene.record('a', groups)).rejects.toMatchObject({
        code: 'too_many_open_buckets',
        details: { limit: 1 },
      });
    }
    expect(await count(scene, 'a')).toEqual({ stored: 1, late: 0 });
  });

  it('belong to no caller that was released by another one of the same text', async () => {
    const scene = await openService({ k: 4 });
    const first = await scene.record('a', [anonymousGroup('p', ['4'])]);
    const second = await scene.record('a', [anonymousGroup('p', ['4'])]);
    await scene.rewards.release(first);
    await scene.rewards.release(first);
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
    await scene.rewards.release(second);
    await scene.record('a', [anonymousGroup('p', ['4'])]);
    expect(await count(scene, 'a')).toEqual({ stored: 2, late: 0 });
  });

  it('keep a stable reward while a later caller waits for the same prompt', async () => {
    const scene = await openService({ k: 2 });
    const parked = await scene.park(await scene.record('a', [anonymousGroup('p', ['4'])]));
    const other = await scene.park(await scene.record('a', [anonymousGroup('p', ['5'])]));
    await scene.submit('b', [wholeGroup('p', ['5', '5'])]);
    await until(() => parked.over && other.over);
    expect([rewardsOf(await parked.result), rewardsOf(await other.result)]).toEqual([[0], [1]]);
  });

  it('stay the last visit’s once their rewards were asked for, whatever the next visit says', async () => {
    const scene = await openService({ k: 2 });
    const first = await scene.record('a', [anonymousGroup('p', ['4', '4'])]);
    expect((await scene.now(first)).kind).toBe('pending');
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    const asked = await scene.rewards.recall('test', 'a', first.submissionId);
    expect(rewardsOf(await scene.now(asked))).toEqual([1, 1]);
    await scene.record('a', [anonymousGroup('p', ['4', '4'])]);
    const rounds = await scene.store.readPrompt('test', 'p');
    expect(rounds.map(({ groups }) => groups.get('a')?.rollouts.length)).toEqual([2, 2]);
  });

  it('tell a caller that polls how long it waited since they were recorded', async () => {
    const scene = await openService({ k: 1 });
    const { submissionId } = await scene.record('a', [anonymousGroup('p', ['4'])]);
    await scene.advance(60_000);
    await scene.submit('b', [wholeGroup('p', ['4'])]);
    const asked = await scene.rewards.recall('test', 'a', submissionId);
    expect(await scene.now(asked)).toMatchObject({ kind: 'decided', waitedMs: 60_000 });
  });
});
