import { describe, expect, it } from 'vitest';
import {
  groupOf,
  onlyGroup,
  openService,
  rewardsOf,
  rolloutOf,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

const closings = (scene: ServiceScene) =>
  scene.telemetry.closed.map(({ agent, state, cause }) => `${agent} ${state} by ${cause}`);

describe('the group of a teacher', () => {
  it('is decided by its Kth rollout', async () => {
    const scene = await openService({ k: 3 });
    await scene.record('b', [groupOf('p', [rolloutOf('4', 0), rolloutOf('4', 1)])]);
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5', '6'])]);
    expect(await scene.now(ticket)).toMatchObject({
      kind: 'pending',
      waitingFor: [{ agent: 'b', have: 2, need: 3 }],
    });
    await scene.record('b', [groupOf('p', [rolloutOf('5', 2)])]);
    expect(rewardsOf(await scene.now(ticket))).toEqual([1, 0, 0]);
    expect(closings(scene)).toEqual(['a complete by k', 'b complete by k']);
  });

  it('is decided by its quorum once the grace is over, and not before', async () => {
    const scene = await openService({ k: 4, barrier: { quorum: 2, graceMs: 5_000 } });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5', '4', '5'])]);
    await scene.record('b', [groupOf('p', [rolloutOf('5', 0)])]);
    await scene.advance(20_000);
    await scene.record('b', [groupOf('p', [rolloutOf('5', 1)])]);
    await scene.advance(4_999);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending' });
    await scene.advance(1);
    expect(rewardsOf(await scene.now(ticket))).toEqual([0, 1, 0, 1]);
    expect(closings(scene)).toContain('b partial by quorum');
  });

  it('is decided by its Kth rollout within the grace', async () => {
    const scene = await openService({ k: 3, barrier: { quorum: 1, graceMs: 5_000 } });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5', '4'])]);
    await scene.record('b', [wholeGroup('p', ['5', '4', '4'])]);
    expect(rewardsOf(await scene.now(ticket))).toEqual([1, 0, 1]);
  });

  it('is decided with what it has when its agent skips the prompt', async () => {
    const scene = await openService({ k: 3 });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5', '4'])]);
    await scene.record('b', [groupOf('p', [rolloutOf('5', 0)])]);
    await scene.skip('b', 'p');
    expect(onlyGroup(await scene.now(ticket))).toMatchObject({ status: 'scored', label: '5' });
    expect(closings(scene)).toContain('b partial by skip');
  });

  it('is decided with what it has when its agent leaves, and so is every later one', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5']), wholeGroup('q', ['4', '5'])]);
    await scene.record('b', [groupOf('p', [rolloutOf('5', 0)])]);
    expect(await scene.finish('b')).toBe(2);
    const result = await scene.now(ticket);
    expect(result).toMatchObject({
      kind: 'decided',
      groups: [
        { promptId: 'p', status: 'scored', label: '5' },
        { promptId: 'q', status: 'skipped', label: null },
      ],
    });
    expect(onlyGroup(await scene.submit('a', [wholeGroup('r', ['4', '5'])]))).toMatchObject({
      status: 'skipped',
    });
  });

  it('is decided with what it has at its deadline', async () => {
    const scene = await openService({ k: 3, barrier: { deadlineMs: 60_000 } });
    await scene.record('b', [groupOf('p', [rolloutOf('5', 0)])]);
    await scene.advance(30_000);
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5', '4'])]);
    await scene.advance(29_999);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending' });
    await scene.advance(1);
    expect(rewardsOf(await scene.now(ticket))).toEqual([0, 1, 0]);
    expect(closings(scene)).toContain('b partial by deadline');
  });

  it('is empty, and its student expired, when nothing came by the deadline', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    await scene.advance(60_000);
    const group = onlyGroup(await scene.now(ticket));
    expect(group).toMatchObject({ status: 'expired', label: null, rewardSource: 'none', teachers: [] });
    expect(group.reason).toBe('b sent no rollouts for this prompt before its deadline.');
    expect(closings(scene)).toContain('b empty by deadline');
  });
});

describe('a student group', () => {
  it('is answered as soon as its teacher is decided, though it is not full itself', async () => {
    const scene = await openService({ k: 4 });
    const ticket = await scene.record('a', [groupOf('p', [rolloutOf('4', 0)])]);
    const parked = await scene.park(ticket);
    expect(parked.over).toBe(false);
    await scene.record('b', [wholeGroup('p', ['4', '4', '5', '6'])]);
    expect(rewardsOf(await parked.result)).toEqual([1]);
  });

  it('gets the same label for every rollout: before, after and long after the decision', async () => {
    const scene = await openService({ k: 4 });
    const early = await scene.record('a', [groupOf('p', [rolloutOf('4', 0), rolloutOf('5', 1)])]);
    await scene.record('b', [groupOf('p', [rolloutOf('5', 0), rolloutOf('5', 1)])]);
    await scene.advance(60_000);
    // The teacher's stragglers would turn the vote: they come too late to.
    const stragglers = await scene.submit('b', [groupOf('p', [rolloutOf('4', 2), rolloutOf('4', 3)])]);
    expect(onlyGroup(stragglers).rollouts.map(({ late }) => late)).toEqual([true, true]);
    const late = await scene.record('a', [groupOf('p', [rolloutOf('5', 2), rolloutOf('4', 3)])]);
    await scene.advance(1_000_000);
    const [first, second] = [onlyGroup(await scene.now(early)), onlyGroup(await scene.now(late))];
    expect([first.label, second.label]).toEqual(['5', '5']);
    expect([...first.rollouts, ...second.rollouts].map(({ reward }) => reward)).toEqual([0, 1, 1, 0]);
  });

  it('never mixes rewards with timed-out values, whenever its rollouts came', async () => {
    const scene = await openService({ k: 3, unlabeledReward: null });
    const before = await scene.record('a', [groupOf('p', [rolloutOf('4', 0)])]);
    await scene.advance(60_000);
    const at = await scene.record('a', [groupOf('p', [rolloutOf('4', 1)])]);
    await scene.record('b', [wholeGroup('p', ['4', '4', '4'])]);
    const after = await scene.record('a', [groupOf('p', [rolloutOf('4', 2)])]);
    const groups = await Promise.all(
      [before, at, after].map(async (ticket) => onlyGroup(await scene.now(ticket))),
    );
    expect(groups.map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
    expect(groups.flatMap(({ rollouts }) => rollouts.map(({ reward }) => reward))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is scored against the peers that came when another is absent', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('b', [wholeGroup('p', ['5', '5'])]);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending', waitingFor: [{ agent: 'c' }] });
    await scene.advance(60_000);
    expect(onlyGroup(await scene.now(ticket))).toMatchObject({
      status: 'scored',
      label: '5',
      teachers: ['b'],
    });
  });
});

describe('finishing and skipping', () => {
  it('may be repeated, and a skip after finish does not bring the agent back', async () => {
    const scene = await openService();
    await scene.finish('b');
    await scene.finish('b');
    await scene.skip('b', 'p');
    await scene.skip('b', 'p');
    expect(onlyGroup(await scene.submit('a', [wholeGroup('q', ['4', '5'])]))).toMatchObject({
      status: 'skipped',
      reason: 'b skipped this prompt or has finished.',
    });
  });

  it('end where the agent submits again', async () => {
    const scene = await openService();
    await scene.finish('b');
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    const ticket = await scene.record('a', [wholeGroup('q', ['4', '5'])]);
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending' });
  });

  it('name the round that was skipped', async () => {
    const scene = await openService();
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.submit('a', [wholeGroup('p', ['4', '4'])]);
    expect(await scene.skip('b', 'p')).toEqual([{ promptId: 'p', round: 1 }]);
  });
});
