import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { openService, settleDown, until, wholeGroup } from '../../support/service.ts';

describe('Caretaker', () => {
  it('decides what is due by itself, soon after it is, and wakes who waits', async () => {
    const scene = await openService({ barrier: { deadlineMs: 60_000 } });
    scene.caretaker.start();
    const parked = await scene.park(await scene.record('a', [wholeGroup('p', ['4', '5'])]));
    scene.clock.advance(59_900);
    await settleDown();
    expect(parked.over).toBe(false);
    scene.clock.advance(300);
    await until(() => parked.over);
    expect(await parked.result).toMatchObject({ kind: 'decided', groups: [{ status: 'expired' }] });
    scene.caretaker.stop();
  });

  it('counts what the clock decided', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.advance(60_000);
    expect(scene.telemetry.closed.at(-1)).toEqual({
      cohort: 'test',
      agent: 'b',
      state: 'empty',
      cause: 'deadline',
    });
    expect(scene.telemetry.settled).toMatchObject([{ agent: 'a', status: 'expired' }]);
  });

  it('logs a finding when it is new, every 5 minutes while it lasts, when it is over, and again when it comes back', async () => {
    const scene = await openService({ barrier: { deadlineMs: 3_600_000 } });
    const warnings = () => scene.logger.lines.filter(({ level }) => level === 'warn');
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    const told = expect.stringContaining('"b" has never sent anything');
    for (const [ms, times] of [
      [200_000, 1],
      [200_000, 1],
      [99_000, 1],
      [1_000, 2],
    ] as const) {
      await scene.advance(ms);
      await scene.caretaker.watch();
      expect(warnings().map(({ message }) => message)).toEqual(Array.from({ length: times }, () => told));
    }
    await scene.record('b', [wholeGroup('p', ['4', '5'])]);
    await scene.caretaker.watch();
    expect(scene.caretaker.findings('test')).toEqual([]);
    expect(scene.logger.lines.at(-1)).toEqual({
      level: 'info',
      message: expect.stringMatching(/^No longer so: "b" has never sent anything/),
    });
    await scene.record('a', [wholeGroup('q', ['4', '5'])]);
    await scene.advance(200_000);
    await scene.caretaker.watch();
    expect(warnings()).toHaveLength(3);
  });

  it('forgets the findings of a cohort that was deleted', async () => {
    const scene = await openService({ barrier: { deadlineMs: 3_600_000 } });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.advance(200_000);
    await scene.caretaker.watch();
    expect(scene.caretaker.findings('test')).toHaveLength(1);
    await scene.cohorts.delete('test');
    await scene.caretaker.watch();
    expect(scene.caretaker.findings('test')).toEqual([]);
  });

  it('goes on after a task that failed, and says so', async () => {
    let failures = 2;
    const scene = await openService({
      wrapStore: (store) =>
        new Proxy<Store>(store, {
          get(target, name) {
            if (name === 'closeDue' && failures-- > 0) return () => Promise.reject(new Error('gone'));
            return Reflect.get(target, name).bind(target);
          },
        }),
    });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    scene.caretaker.start();
    for (let turn = 0; turn < 3; turn++) {
      scene.clock.advance(60_000);
      await settleDown();
    }
    const errors = scene.logger.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message)).toEqual([
      'A periodic task failed.',
      'A periodic task failed.',
    ]);
    expect(await scene.store.countOpenBuckets('test')).toBe(0);
    scene.caretaker.stop();
  });

  it('does nothing more once it was stopped, also from within a task', async () => {
    const scene = await openService();
    scene.caretaker.start();
    expect(scene.clock.pending).toBe(2);
    scene.clock.advance(200);
    scene.caretaker.stop();
    await settleDown();
    expect(scene.clock.pending).toBe(0);
  });
});
