import { describe, expect, it } from 'vitest';
import {
  groupOf,
  onlyGroup,
  openService,
  rewardsOf,
  rolloutOf,
  until,
  wholeGroup,
} from '../../support/service.ts';

const FIRST = { incarnation: 'i-1', step: 7 };
const SECOND = { incarnation: 'i-2', step: 7 };

describe('a trainer that restarts from a checkpoint', () => {
  it("joins the peer's open bucket", async () => {
    const scene = await openService();
    await scene.submit('a', [wholeGroup('p', ['4', '4'])], FIRST);
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    const peer = await scene.record('b', [wholeGroup('p', ['5', '5'])], { step: 8 });
    expect(await scene.now(peer)).toMatchObject({ waitingFor: [{ agent: 'a', round: 1, have: 0 }] });
    const replayed = await scene.submit('a', [wholeGroup('p', ['5', '6'])], SECOND);
    expect(onlyGroup(replayed)).toMatchObject({ round: 1, label: '5' });
    expect(rewardsOf(await scene.now(peer))).toEqual([1, 1]);
  });

  it('is scored at once against the stored vote, which it does not disturb', async () => {
    const scene = await openService();
    const before = await scene.record('b', [wholeGroup('p', ['5', '4'])]);
    await scene.submit('a', [wholeGroup('p', ['4', '4'])], FIRST);
    expect(rewardsOf(await scene.now(before))).toEqual([0, 1]);

    const replayed = onlyGroup(await scene.submit('a', [wholeGroup('p', ['5', '9'])], SECOND));
    expect(replayed).toMatchObject({ round: 0, label: '5' });
    expect(replayed.rollouts.map(({ reward, late }) => [reward, late])).toEqual([
      [1, true],
      [0, true],
    ]);
    expect(rewardsOf(await scene.now(before))).toEqual([0, 1]);
  });

  it('replaces answers whose vote nobody has used', async () => {
    const scene = await openService();
    const old = await scene.record('a', [wholeGroup('p', ['9', '9'])], { ...FIRST, submissionId: 's-1' });
    await scene.record('a', [wholeGroup('p', ['4', '4'])], SECOND);
    const peer = await scene.submit('b', [wholeGroup('p', ['4', '9'])]);
    expect(rewardsOf(peer)).toEqual([1, 0]);
    // The replaced rollouts have no reward: nobody trains on them any more.
    expect(rewardsOf(await scene.now(old))).toEqual([null, null]);
  });

  it('gets its own rewards for a retry within its incarnation', async () => {
    const scene = await openService();
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.submit('a', [wholeGroup('p', ['4', '4'])], FIRST);
    const replay = () => scene.submit('a', [wholeGroup('p', ['5', '4'])], SECOND);
    expect([rewardsOf(await replay()), rewardsOf(await replay())]).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('goes on with the next visit after the replay', async () => {
    const scene = await openService();
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.submit('a', [wholeGroup('p', ['4', '4'])], FIRST);
    await scene.submit('a', [wholeGroup('p', ['5', '4'])], SECOND);
    const next = await scene.submit('a', [wholeGroup('p', ['7', '7'])], { incarnation: 'i-2', step: 90 });
    expect(next).toMatchObject({ kind: 'pending', waitingFor: [{ agent: 'b', round: 1 }] });
  });
});

describe('the calls of an incarnation that was replaced', () => {
  it('are ended where they wait, and leave the calls of others alone', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'] });
    const old = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '4'])], FIRST));
    const other = await scene.park(await scene.record('b', [wholeGroup('q', ['4', '4'])]));
    await scene.record('a', [wholeGroup('r', ['4', '4'])], SECOND);
    await expect(old.result).rejects.toMatchObject({ code: 'stale_incarnation' });
    expect(other.over).toBe(false);
    expect(scene.barrier.held('test')).toBe(1);
  });

  it('are ended though the restart came between recording and waiting', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '4'])], FIRST);
    await scene.record('a', [wholeGroup('r', ['4', '4'])], SECOND);
    const old = await scene.park(ticket);
    await expect(old.result).rejects.toMatchObject({
      code: 'stale_incarnation',
      details: { latest: 'i-2' },
    });
  });

  it('are refused when they come later, and nothing of them is stored', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '4'])], FIRST);
    await scene.record('a', [wholeGroup('p', ['5', '5'])], SECOND);
    const stale = { code: 'stale_incarnation', details: { latest: 'i-2' } };
    await expect(scene.record('a', [wholeGroup('q', ['4', '4'])], FIRST)).rejects.toMatchObject(stale);
    await expect(scene.rewards.finish('test', 'a', 'i-1')).rejects.toMatchObject(stale);
    const skip = scene.rewards.skip('test', 'a', 'i-1', [{ promptId: 'p', round: null, step: null }]);
    await expect(skip).rejects.toMatchObject(stale);
    expect(await scene.store.readPrompt('test', 'q')).toEqual([]);
  });

  it('still get the rewards that were decided before', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])], FIRST);
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('a', [wholeGroup('q', ['4', '4'])], SECOND);
    expect(rewardsOf(await scene.now(ticket))).toEqual([1, 0]);
  });

  it('do not come after those of the new one because they take longer to read', async () => {
    const scene = await openService();
    const long = 'Let me think. '.repeat(200_000);
    const slow = ['p', 'q', 'r', 's'].map((promptId) =>
      groupOf(
        promptId,
        [0, 1].map((index) => rolloutOf(null, index, { content: { kind: 'completion', text: long } })),
      ),
    );
    const old = scene.record('a', slow, FIRST);
    // The old one is being read by now, group by group.
    await until(async () => (await scene.store.readActivity(scene.cohort))[0]?.incarnation === 'i-1');
    await scene.record('a', [wholeGroup('p', ['4', '4'])], SECOND);
    await expect(old).rejects.toMatchObject({ code: 'stale_incarnation' });
    expect(onlyGroup(await scene.submit('b', [wholeGroup('p', ['4', '9'])])).label).toBe('4');
  });

  it('come back to life as a new incarnation after the agent finished', async () => {
    const scene = await openService();
    await scene.record('b', [wholeGroup('x', ['1', '1'])], { incarnation: 'j-1' });
    await scene.finish('b', 'j-1');
    await scene.record('b', [wholeGroup('x', ['1', '1'])], { incarnation: 'j-2' });
    const parked = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]));
    expect(parked.over).toBe(false);
    await scene.record('b', [wholeGroup('p', ['5', '5'])], { incarnation: 'j-2' });
    await until(() => parked.over);
    expect(rewardsOf(await parked.result)).toEqual([0, 1]);
  });
});
