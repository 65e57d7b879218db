import { describe, expect, it } from 'vitest';
import { Barrier, type ParkOptions } from '../../../src/service/barrier.ts';
import { MemoryStore } from '../../../src/store/memory/memory-store.ts';
import type { Notice } from '../../../src/store/store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { settleDown } from '../../support/service.ts';

/** A store that says what it is told to say. */
class TalkingStore extends MemoryStore {
  readonly #listeners = new Set<(notice: Notice) => void>();

  override subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  say(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

function setUp() {
  const clock = new FakeClock();
  const store = new TalkingStore(clock);
  const barrier = new Barrier(store, clock);
  const park = (options: Partial<ParkOptions> = {}) =>
    barrier.park({
      cohort: 'c',
      agent: 'a',
      incarnation: null,
      since: clock.now(),
      promptIds: new Set(['p']),
      waitMs: 60_000,
      signal: null,
      ...options,
    });
  const decide = (promptId: string, cohort = 'c') =>
    store.say({ kind: 'decided', cohort, ref: { promptId, round: 0 } });
  return { clock, store, barrier, park, decide };
}

/** Whether each wait is over once everything had its turn. */
async function areOver(waits: readonly (Promise<unknown> | undefined)[]): Promise<boolean[]> {
  const over = waits.map(() => false);
  for (const [at, wait] of waits.entries()) {
    wait?.then(() => {
      over[at] = true;
    });
  }
  await settleDown();
  return over;
}

describe('Barrier', () => {
  it('wakes who waits for a prompt when it is decided, and nobody else', async () => {
    const { park, decide } = setUp();
    const [one, both, other, elsewhere] = [
      park(),
      park({ promptIds: new Set(['p', 'q']) }),
      park({ promptIds: new Set(['q']) }),
      park({ cohort: 'd' }),
    ].map((waiter) => waiter.next());
    decide('p');
    expect(await Promise.all([one, both])).toEqual(['changed', 'changed']);
    expect(await areOver([other, elsewhere])).toEqual([false, false]);
  });

  it('keeps a decision that comes while nobody listens, once', async () => {
    const { park, decide } = setUp();
    const waiter = park();
    decide('p');
    decide('p');
    expect(await waiter.next()).toBe('changed');
    expect(await areOver([waiter.next()])).toEqual([false]);
  });

  it('ends a wait when its time is over, and goes on saying so', async () => {
    const { clock, park, decide } = setUp();
    const waiter = park({ waitMs: 1_000 });
    clock.advance(1_000);
    decide('p');
    expect([await waiter.next(), await waiter.next()]).toEqual(['timeout', 'timeout']);
  });

  it('lets the end of a wait win over a decision that nobody has looked at', async () => {
    const { clock, park, decide } = setUp();
    const waiter = park({ waitMs: 1_000 });
    decide('p');
    clock.advance(1_000);
    expect(await waiter.next()).toBe('timeout');
  });

  it('wakes who waits when its caller leaves, also one that had left before', async () => {
    const { park } = setUp();
    const caller = new AbortController();
    const waiter = park({ signal: caller.signal });
    const next = waiter.next();
    caller.abort();
    expect(await next).toBe('aborted');
    expect(await park({ signal: AbortSignal.abort() }).next()).toBe('aborted');
  });

  it('sends everybody away when it drains, those who come later too, and listens no more', async () => {
    const { store, barrier, park, decide } = setUp();
    const waiting = [park(), park({ cohort: 'd' })].map((waiter) => waiter.next());
    expect([barrier.draining, store.listeners]).toEqual([false, 1]);
    barrier.drain();
    expect([barrier.draining, store.listeners]).toEqual([true, 0]);
    expect(await Promise.all(waiting)).toEqual(['draining', 'draining']);
    const late = park();
    decide('p');
    expect(await late.next()).toBe('draining');
  });

  it('sends older incarnations of an agent away when it restarts, and no others', async () => {
    const { store, park } = setUp();
    const [older, same, nameless, peer, elsewhere] = [
      park({ incarnation: 'i-1' }),
      park({ incarnation: 'i-2' }),
      park({ incarnation: null }),
      park({ incarnation: 'i-1', agent: 'b' }),
      park({ incarnation: 'i-1', cohort: 'd' }),
    ].map((waiter) => waiter.next());
    store.say({ kind: 'restarted', cohort: 'c', agent: 'a', incarnation: 'i-2' });
    expect(await older).toBe('superseded');
    expect(await areOver([older, same, nameless, peer, elsewhere])).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('sends everybody of a cohort away when it is deleted', async () => {
    const { store, park } = setUp();
    const [here, there] = [park(), park({ cohort: 'd' })].map((waiter) => waiter.next());
    store.say({ kind: 'deleted', cohort: 'c' });
    expect(await here).toBe('deleted');
    expect(await areOver([here, there])).toEqual([true, false]);
  });

  it('counts who is parked until they close, and says who they are', () => {
    const { barrier, clock, park } = setUp();
    const waiters = [park(), park({ promptIds: new Set(['p', 'q']), incarnation: 'i' })];
    park({ cohort: 'd' });
    expect([barrier.held('c'), barrier.held('d'), barrier.held('e')]).toEqual([2, 1, 0]);
    expect(barrier.list('c')).toEqual([
      { agent: 'a', incarnation: null, since: clock.now() },
      { agent: 'a', incarnation: 'i', since: clock.now() },
    ]);
    for (const waiter of waiters) waiter.close();
    expect([barrier.held('c'), barrier.list('c')]).toEqual([0, []]);
  });

  it('leaves no timer and no listener behind a wait that is closed', () => {
    const { clock, park } = setUp();
    const caller = new AbortController();
    const waiter = park({ signal: caller.signal });
    waiter.close();
    caller.abort();
    expect(clock.pending).toBe(0);
  });
});
