import { describe, expect, it } from 'vitest';
import { OwedReleases, type Release } from '../../../src/service/owed-releases.ts';
import { AwayStore } from '../../support/away-store.ts';
import { buildAnonymous, buildArrival, buildCohort, buildContext } from '../../support/builders.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const cohort = buildCohort({ name: 'c', k: 4 });

async function setUp() {
  const store = new AwayStore(new FakeClock());
  await store.putCohort(cohort);
  const owed = new OwedReleases(store);
  const release = (holder: string, ...prompts: readonly string[]): Release => ({
    cohort: 'c',
    agent: 'a',
    holder,
    held: prompts.map((promptId) => ({ promptId, round: 0 })),
  });
  return { store, owed, release };
}

describe('OwedReleases', () => {
  it('gives rollouts back at once where the store takes it, so that their retry is known as one', async () => {
    const { store, owed, release } = await setUp();
    const send = async (holder: string) => {
      const { finished: _, ...context } = buildContext(cohort, 'a', { holder });
      const [outcome] = await store.submit(cohort, context, [buildArrival('p', [buildAnonymous('text')])]);
      return outcome?.kind === 'stored' ? outcome.added : outcome?.kind;
    };
    expect(await send('first')).toBe(1);
    await owed.release(release('first', 'p'));
    expect(await send('second')).toBe(0);
    expect(await send('third')).toBe(1);
  });

  it('asks nothing of the store for a connection that held nothing', async () => {
    const { store, owed, release } = await setUp();
    store.isAway = true;
    await owed.release(release('nobody'));
    await owed.pay();
    expect(store.released).toEqual([]);
  });

  it('keeps what the store could not take, and pays each once when it is back', async () => {
    const { store, owed, release } = await setUp();
    store.isAway = true;
    await owed.release(release('one', 'p', 'q'));
    await owed.release(release('two', 'r'));
    await expect(owed.pay()).rejects.toMatchObject({ code: 'store_unavailable' });
    store.isAway = false;
    await owed.pay();
    await owed.pay();
    expect([...store.released].sort()).toEqual(['one p/0,q/0', 'two r/0']);
  });

  it('forgets the oldest beyond its bound, so that a long outage cannot fill the memory', async () => {
    const { store, owed, release } = await setUp();
    store.isAway = true;
    for (let at = 0; at < 10_003; at++) await owed.release(release(`holder-${at}`, 'p'));
    store.isAway = false;
    await owed.pay();
    expect(store.released).toHaveLength(10_000);
    expect(store.released).not.toContain('holder-2 p/0');
    expect(store.released).toContain('holder-3 p/0');
  });

  it('hides no other failure', async () => {
    const { store, owed, release } = await setUp();
    store.fault = new TypeError('a fault of ours');
    await expect(owed.release(release('one', 'p'))).rejects.toThrow('a fault of ours');
  });
});
