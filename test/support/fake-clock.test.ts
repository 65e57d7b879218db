import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';

describe('FakeClock', () => {
  it('fires timers in order of time, each at its own time, also those set on the way', () => {
    const clock = new FakeClock(0);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.setTimer(30, note('c'));
    clock.setTimer(10, () => {
      note('a')();
      clock.setTimer(10, note('b'));
    });
    clock.setTimer(31, note('later'));
    clock.advance(30);
    expect(fired).toEqual(['a@10', 'b@20', 'c@30']);
    expect([clock.now(), clock.pending]).toEqual([30, 1]);
  });

  it('does not fire what was cancelled', () => {
    const clock = new FakeClock(0);
    let fired = false;
    const cancel = clock.setTimer(10, () => {
      fired = true;
    });
    cancel();
    clock.advance(20);
    expect([fired, clock.pending]).toEqual([false, 0]);
  });
});
