import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import {
  groupOf,
  openService,
  rewardsOf,
  rolloutOf,
  settleDown,
  until,
  wholeGroup,
} from '../../support/service.ts';

describe('a request that waits', () => {
  it('is answered by the decision, though others of its prompts wake it before', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5']), wholeGroup('q', ['4', '5'])]);
    const parked = await scene.park(ticket);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await settleDown();
    expect(parked.over).toBe(false);
    await scene.record('b', [wholeGroup('q', ['5', '5'])]);
    expect(await parked.result).toMatchObject({ kind: 'decided', waitedMs: 0 });
    expect(scene.barrier.held('test')).toBe(0);
  });

  it('is answered when its wait is over, no sooner, with what is missing', async () => {
    const scene = await openService();
    const parked = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]), 50_000);
    scene.clock.advance(49_999);
    await settleDown();
    expect(parked.over).toBe(false);
    scene.clock.advance(1);
    expect(await parked.result).toMatchObject({
      kind: 'pending',
      waitingFor: [{ agent: 'b', promptId: 'p', have: 0, need: 2 }],
      crowded: false,
    });
    expect(scene.telemetry.waits).toEqual([{ cohort: 'test', agent: 'a', outcome: 'pending', ms: 50_000 }]);
    expect(scene.clock.pending).toBe(0);
  });

  it('gets a decision that falls together with the end of its wait', async () => {
    const scene = await openService({ barrier: { deadlineMs: 50_000 } });
    const parked = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]), 50_000);
    scene.clock.advance(50_000);
    await scene.caretaker.closeDue();
    expect(await parked.result).toMatchObject({ kind: 'decided', groups: [{ status: 'expired' }] });
  });

  it('gets a decision that falls between its look and its place at the barrier', async () => {
    let duringLook: (() => Promise<void>) | null = null;
    const scene = await openService({
      wrapStore: (store) =>
        new Proxy<Store>(store, {
          get(target, name) {
            if (name !== 'readBuckets') return Reflect.get(target, name).bind(target);
            return async (...args: Parameters<Store['readBuckets']>) => {
              const read = await target.readBuckets(...args);
              const late = duringLook;
              duringLook = null;
              await late?.();
              return read;
            };
          },
        }),
    });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    duringLook = async () => {
      await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    };
    expect(rewardsOf(await scene.rewards.settle(ticket, { waitMs: 1_000, signal: null }))).toEqual([1, 0]);
  });

  it('is sent away when the server drains, unless it is decided by then', async () => {
    const scene = await openService();
    const waiting = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]));
    const lucky = await scene.park(await scene.record('a', [wholeGroup('q', ['4', '5'])]));
    const peer = scene.record('b', [wholeGroup('q', ['5', '5'])]);
    await until(async () => (await scene.store.countOpenBuckets('test')) === 1);
    scene.barrier.drain();
    await expect(waiting.result).rejects.toMatchObject({ code: 'draining' });
    expect(rewardsOf(await lucky.result)).toEqual([0, 1]);
    await peer;
    expect(scene.telemetry.waits.map(({ outcome }) => outcome).sort()).toEqual(['decided', 'drained']);
  });

  it('is refused once the server drains, as new submissions are', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])], { submissionId: 's' });
    scene.barrier.drain();
    const draining = { code: 'draining' };
    await expect(scene.rewards.settle(ticket, { waitMs: 1_000, signal: null })).rejects.toMatchObject(
      draining,
    );
    await expect(scene.record('a', [wholeGroup('q', ['4', '5'])])).rejects.toMatchObject(draining);
    await expect(scene.rewards.recall('test', 'a', 's')).rejects.toMatchObject(draining);
  });

  it('is told when its cohort was deleted', async () => {
    const scene = await openService();
    const parked = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]));
    await scene.cohorts.delete('test');
    await expect(parked.result).rejects.toMatchObject({ code: 'unknown_cohort' });
    expect(scene.barrier.held('test')).toBe(0);
  });

  it('is answered at once with what is known when too many are held', async () => {
    const scene = await openService({ limits: { heldRequests: 1 } });
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    const parked = await scene.park(ticket);
    const crowded = await scene.rewards.settle(ticket, { waitMs: 1_000, signal: null });
    expect(crowded).toMatchObject({ kind: 'pending', crowded: true });
    expect(await scene.now(ticket)).toMatchObject({ kind: 'pending', crowded: false });
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    expect(rewardsOf(await parked.result)).toEqual([1, 0]);
  });

  it('does not count as held any more once its caller is gone', async () => {
    const scene = await openService({ limits: { heldRequests: 1_000 } });
    const callers = Array.from({ length: 100 }, () => new AbortController());
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    const parked = [];
    for (const { signal } of callers) parked.push(await scene.park(ticket, 60_000, signal));
    expect(scene.barrier.held('test')).toBe(100);
    for (const caller of callers) caller.abort();
    await Promise.all(parked.map(({ result }) => result));
    expect([scene.barrier.held('test'), scene.clock.pending]).toEqual([0, 0]);
  });

  it('learns that its submission is gone when its bucket is', async () => {
    const scene = await openService();
    const ticket = await scene.record('a', [wholeGroup('p', ['4', '5'])], { submissionId: 's' });
    await scene.submit('b', [wholeGroup('p', ['4', '4'])]);
    await scene.advance(2_000_000);
    await expect(scene.now(ticket)).rejects.toMatchObject({ code: 'unknown_submission' });
    await expect(scene.rewards.recall('test', 'a', 's')).rejects.toMatchObject({
      code: 'unknown_submission',
    });
  });

  it('keeps no completion alive: its ticket holds ids only', async () => {
    const scene = await openService();
    const text = `${'x'.repeat(10_000)} 42`;
    const group = groupOf('p', [rolloutOf(null, 0, { content: { kind: 'completion', text } })]);
    expect(JSON.stringify(await scene.record('a', [group])).length).toBeLessThan(2_000);
  });
});
