import { describe, expect, it } from 'vitest';
import {
  agentOf,
  buildArrival,
  buildCohort,
  buildRollouts,
  type CohortOverrides,
} from '../../support/builders.ts';
import { Recording } from '../../support/recording.ts';

const open = (overrides: CohortOverrides = {}) =>
  Recording.open(buildCohort({ name: 'c', k: 2, ...overrides }));

describe('Recorder', () => {
  it('refuses an incarnation that a newer one has replaced', async () => {
    const recording = await open();
    await recording.send('a', { p: ['4', '5'] }, { incarnation: 'i-1' });
    await recording.send('a', { q: ['4', '5'] }, { incarnation: 'i-2' });
    await expect(recording.send('a', { r: ['4', '5'] }, { incarnation: 'i-1' })).rejects.toMatchObject({
      code: 'stale_incarnation',
      details: { latest: 'i-2' },
    });
    expect(await recording.store.readPrompt('c', 'r')).toEqual([]);
  });

  it('gives back what it stored beside a group that the store refused', async () => {
    const recording = await open({ limits: { openBuckets: 1 } });
    await expect(recording.send('a', { p: ['4', '5'], q: ['4', '5'] })).rejects.toMatchObject({
      code: 'too_many_open_buckets',
    });
    expect(recording.store.released).toEqual([expect.stringMatching(/^\S+ p\/0$/)]);
  });

  it('owes a release of every round to a store that went away, since it may have stored something', async () => {
    const recording = await open();
    recording.store.isAway = true;
    const { cohort, recorder } = recording;
    const sender = {
      cohort,
      agent: agentOf(cohort, 'a'),
      incarnation: null,
      step: null,
      holder: 'gone',
      gone: null,
    };
    const arrivals = ['p', 'q'].map((promptId) => buildArrival(promptId, buildRollouts(['4'])));
    await expect(recorder.submit(sender, arrivals)).rejects.toMatchObject({ code: 'store_unavailable' });
    recording.store.isAway = false;
    await recording.owed.pay();
    expect(recording.store.released).toEqual(['gone p/null,q/null']);
  });

  it('remembers what a submission id stands for, and nothing of one that touched no bucket', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] });
    await recording.recorder.remember(ticket);
    expect(await recording.store.getSubmission('c', 'a', ticket.submissionId)).toMatchObject({
      recordedAt: ticket.recordedAt,
      groups: [{ promptId: 'p', round: 0, rolloutIds: ['r0', 'r1'] }],
    });
    await recording.recorder.remember({ ...ticket, submissionId: 'eval only', groups: [] });
    expect(await recording.store.getSubmission('c', 'a', 'eval only')).toBeNull();
  });

  it('changes nothing by repeating what is still there', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] });
    const [before] = await recording.store.readPrompt('c', 'p');
    const repeated = await recording.recorder.repeat(ticket);
    expect(repeated.groups).toEqual(ticket.groups);
    const [after, ...more] = await recording.store.readPrompt('c', 'p');
    expect(more).toEqual([]);
    expect(after?.groups.get('a')?.rollouts).toEqual(before?.groups.get('a')?.rollouts);
  });

  it('repeats in the round that a submission went to, though the store has begun to count anew', async () => {
    const before = await open();
    await before.send('a', { p: ['1', '1'] }, { prefix: 'earlier' });
    const ticket = await before.send('a', { p: ['4', '5'] });
    const after = await open();
    const repeated = await after.recorder.repeat(ticket);
    expect(repeated.groups).toEqual(ticket.groups);
    expect((await after.store.readPrompt('c', 'p')).map(({ round }) => round)).toEqual([1]);
    expect(await after.store.getSubmission('c', 'a', ticket.submissionId)).toMatchObject({
      groups: [{ promptId: 'p', round: 1 }],
    });
  });

  it('does not repeat for a trainer that has restarted meanwhile', async () => {
    const ticket = await (await open()).send('a', { p: ['4', '5'] }, { incarnation: 'i-1' });
    const after = await open();
    await after.send('a', {}, { incarnation: 'i-1' });
    await after.send('a', {}, { incarnation: 'i-2' });
    await expect(after.recorder.repeat(ticket)).rejects.toMatchObject({ code: 'stale_incarnation' });
    expect(await after.store.readPrompt('c', 'p')).toEqual([]);
  });

  it('does not bring back a cohort that was deleted', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] });
    await recording.store.deleteCohort('c');
    await expect(recording.recorder.repeat(ticket)).rejects.toMatchObject({ code: 'unknown_cohort' });
    expect(await recording.store.getCohort('c')).toBeNull();
  });

  it('cannot repeat a submission of which only the id is known', async () => {
    const recording = await open();
    const ticket = await recording.send('a', { p: ['4', '5'] });
    await expect(recording.recorder.repeat({ ...ticket, repeat: null })).rejects.toMatchObject({
      code: 'unknown_submission',
    });
  });
});
