import { describe, expect, it } from 'vitest';
import type { Ticket } from '../../../src/service/submission.ts';
import { TicketWatch } from '../../../src/service/ticket-watch.ts';
import { buildCohort } from '../../support/builders.ts';
import { Recording } from '../../support/recording.ts';
import { decided } from '../../support/service.ts';

/** Any prompt may have changed. */
const ANY = null;

const cohort = buildCohort({ name: 'c', k: 2 });
const open = () => Recording.open(cohort);

/** Watches a ticket in a store, and counts how often it was stored again. */
function watch(recording: Recording, ticket: Ticket) {
  const repeated: Ticket[] = [];
  const watching = new TicketWatch(recording.store, ticket, (lost) => {
    repeated.push(lost);
    return recording.recorder.repeat(lost);
  });
  const look = (dirty: ReadonlySet<string> | null = ANY) => watching.look(dirty, recording.clock.now());
  return { watching, look, repeated };
}

describe('TicketWatch', () => {
  it('says whom the ticket waits for and how much has come, at most a hundred of them', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] });
    await recording.send('b', { p: ['4'] });
    expect(await watch(recording, ticket).look()).toMatchObject({
      kind: 'pending',
      waitingFor: [{ agent: 'b', promptId: 'p', round: 0, have: 1, need: 2 }],
      waitingForTotal: 1,
    });

    const prompts = Array.from({ length: 130 }, (_, at) => [`many-${at}`, ['4', '5']] as const);
    const { look } = watch(recording, await recording.send('a', Object.fromEntries(prompts)));
    const result = await look();
    expect(result.kind === 'pending' && result.waitingFor).toHaveLength(100);
    expect(result).toMatchObject({ waitingForTotal: 130 });
  });

  it('reads only what may have changed, and everything once more before it pays', async () => {
    const recording = await open();
    const { look } = watch(recording, await recording.send('a', { p: ['4', '5'], q: ['6', '6'] }));
    await look();
    await recording.send('b', { p: ['4', '4'] });
    await look(new Set(['p']));
    await look(new Set(['p', 'of somebody else']));
    await recording.send('b', { q: ['7', '7'] });
    const result = decided(await look(new Set(['q'])));
    expect(recording.store.reads).toEqual([['p', 'q'], ['p'], [], ['q'], ['p', 'q']]);
    expect(result.groups.map(({ rollouts }) => rollouts.map(({ reward }) => reward))).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it('tells how long the ticket waited', async () => {
    const recording = await open();
    const { look } = watch(recording, await recording.send('a', { p: ['4', '5'] }));
    recording.clock.advance(1_500);
    await recording.send('b', { p: ['4', '4'] });
    expect(decided(await look()).waitedMs).toBe(1_500);
  });

  it('keeps what it knew while the store is away, and goes on when it is back', async () => {
    const recording = await open();
    const { look, watching } = watch(recording, await recording.send('a', { p: ['4', '5'] }));
    await look();
    recording.store.isAway = true;
    await expect(look()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(watching.pending()).toMatchObject({ waitingFor: [{ agent: 'b', promptId: 'p' }] });
    recording.store.isAway = false;
    await recording.send('b', { p: ['4', '4'] });
    expect(decided(await look()).groups[0]?.label).toBe('4');
  });

  it('stores again, once and in the same round, what a store lost as a whole', async () => {
    const before = await open();
    await before.send('a', { p: ['1', '1'] }, { prefix: 'earlier' });
    const ticket = await before.send('a', { p: ['4', '5'] });
    const after = await open();
    const { look, repeated } = watch(after, ticket);
    expect(await look()).toMatchObject({ waitingFor: [{ agent: 'b', promptId: 'p', round: 1, have: 0 }] });
    await look();
    expect(repeated).toHaveLength(1);
    await after.send('b', { p: ['5', '5'] }, { round: 1 });
    expect(decided(await look()).groups[0]?.rollouts.map(({ reward }) => reward)).toEqual([0, 1]);
  });

  it('stores its rollouts again where the store lost only them, beside what the peer has', async () => {
    const ticket = await (await open()).send('a', { p: ['4', '5'] });
    const after = await open();
    await after.send('b', { p: ['4'] }, { prefix: 'first' });
    await after.send('a', { p: ['4'] });
    const { look, repeated } = watch(after, ticket);
    await look();
    expect(repeated).toHaveLength(1);
    const [bucket] = await after.store.readBuckets('c', [{ promptId: 'p', round: 0 }]);
    expect(bucket?.groups.get('a')?.rollouts.map(({ answer }) => answer)).toEqual(['4', '5']);
    expect(bucket?.groups.get('b')?.rollouts).toHaveLength(1);
  });

  it('does not store again what a restart of the trainer replaced', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] }, { incarnation: 'i-1' });
    await recording.send('a', { p: ['6', '6'] }, { incarnation: 'i-2', prefix: 'new' });
    const { look, repeated } = watch(recording, ticket);
    expect((await look()).kind).toBe('pending');
    expect(repeated).toEqual([]);
  });

  it('gives up a ticket that cannot be stored again', async () => {
    const ticket = { ...(await (await open()).send('a', { p: ['4', '5'] })), repeat: null };
    const { look, repeated } = watch(await open(), ticket);
    await expect(look()).rejects.toMatchObject({ code: 'unknown_submission' });
    expect(repeated).toEqual([]);
  });
});
