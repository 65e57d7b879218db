import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildArrival, buildCohort, buildContext, buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeCohorts(setup: StoreSetup): void {
  describe('cohorts', () => {
    it('tells whether a put created, changed nothing, replaced, or came while buckets are open', async () => {
      const scene = await openScene(setup);
      const { store, cohort } = scene;
      const wider = { ...cohort, limits: { ...cohort.limits, openBuckets: 7 } };
      expect(await store.putCohort(structuredClone(cohort))).toBe('unchanged');
      expect(await store.putCohort(wider)).toBe('replaced');
      expect(await store.getCohort(cohort.name)).toEqual({ ...wider, edition: 1 });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect(await store.putCohort(cohort)).toBe('in-use');
      expect(await store.putCohort(wider)).toBe('unchanged');
      expect(await store.getCohort(cohort.name)).toEqual({ ...wider, edition: 1 });
      await scene.skip('b', 'p');
      expect(await store.putCohort(cohort)).toBe('replaced');
      expect(await store.getCohort(cohort.name)).toEqual({ ...cohort, edition: 2 });
      expect(await store.putCohort(buildCohort({ name: `c-${randomUUID()}` }))).toBe('created');
    });

    it('keeps what a cohort holds when its settings are replaced', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.skip('b', 'p');
      const before = await scene.bucket('p');
      await scene.store.putCohort({ ...scene.cohort, unlabeledReward: null });
      expect(await scene.bucket('p')).toEqual(before);
    });

    it('lists cohorts by name and finds none that is unknown', async () => {
      const { store } = await openScene(setup);
      const prefix = randomUUID();
      for (const last of ['b', 'a', 'c']) await store.putCohort(buildCohort({ name: `${prefix}-${last}` }));
      const names = (await store.listCohorts()).map(({ name }) => name);
      expect(names.filter((name) => name.startsWith(prefix))).toEqual(
        ['a', 'b', 'c'].map((x) => `${prefix}-${x}`),
      );
      expect(await store.getCohort(`${prefix}-d`)).toBeNull();
    });

    it('keeps cohorts apart', async () => {
      const scene = await openScene(setup);
      const other = buildCohort({ name: `c-${randomUUID()}` });
      await scene.store.putCohort(other);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect(await scene.store.readBuckets(other.name, [{ promptId: 'p', round: 0 }])).toEqual([null]);
      expect(await scene.store.countOpenBuckets(other.name)).toBe(0);
    });

    it('frees everything that a deleted cohort held, and notices it', async () => {
      const scene = await openScene(setup);
      const { store, cohort } = scene;
      await store.register(cohort.name, 'a', 'i-1');
      const { round } = await scene.record('a', 'p', buildRollouts(['4', '5']), { incarnation: 'i-1' });
      const group = { promptId: 'p', round, rolloutIds: ['r0', 'r1'], incarnation: 'i-1' };
      await store.putSubmission(cohort, 's-1', {
        agent: 'a',
        incarnation: 'i-1',
        recordedAt: 0,
        groups: [group],
      });
      expect(await store.deleteCohort(cohort.name)).toBe(true);
      expect(await store.deleteCohort(cohort.name)).toBe(false);
      const notice = await scene.noticed(({ kind }) => kind === 'deleted');
      expect(notice).toEqual({ kind: 'deleted', cohort: cohort.name });
      expect(await store.getCohort(cohort.name)).toBeNull();

      expect(await store.putCohort(cohort)).toBe('created');
      expect(await scene.bucket('p')).toBeNull();
      expect(await store.countOpenBuckets(cohort.name)).toBe(0);
      expect(await store.getSubmission(cohort.name, 'a', 's-1')).toBeNull();
      expect((await store.readActivity(cohort))[0]).toMatchObject({ incarnation: null, rollouts: 0 });
      expect(await scene.advance(10_000_000)).toEqual([]);
      expect((await scene.record('a', 'p', buildRollouts(['4', '5'], 's'))).round).toBe(0);
    });

    it('answers for an unknown cohort without making one', async () => {
      const { store } = await openScene(setup);
      const unknown = buildCohort({ name: `c-${randomUUID()}` });
      const { name } = unknown;
      const ref = { promptId: 'p', round: 0 };
      const context = buildContext(unknown, 'a');
      expect(await store.submit(unknown, context, [buildArrival('p', buildRollouts(['4']))])).toEqual([
        { kind: 'unknown-cohort' },
      ]);
      await store.hold(name, 'a', 'h1', [{ ...ref, rolloutIds: ['~0'], incarnation: null }]);
      expect(await store.register(name, 'a', 'i-1')).toEqual({ kind: 'current' });
      expect(await store.finish(unknown, 'a')).toEqual([]);
      expect(await store.skip(unknown, 'a', [{ promptId: 'p', round: 0, step: null }])).toEqual([]);
      expect(await store.readBuckets(name, [ref])).toEqual([null]);
      expect(await store.readPrompt(name, 'p')).toEqual([]);
      expect(await store.listOpenBuckets(name, 10)).toEqual([]);
      expect(await store.countOpenBuckets(name)).toBe(0);
      await store.putSubmission(unknown, 's-1', { agent: 'a', incarnation: null, recordedAt: 0, groups: [] });
      expect(await store.getSubmission(name, 'a', 's-1')).toBeNull();
      expect((await store.readActivity(unknown)).map(({ agent }) => agent)).toEqual(['a', 'b']);
      expect(await store.getCohort(name)).toBeNull();
    });
  });

  describe('open buckets', () => {
    it('lists and counts those with an undecided group, oldest first', async () => {
      const scene = await openScene(setup);
      const { store, cohort } = scene;
      for (const promptId of ['p', 'q', 'r']) {
        await scene.record('a', promptId, buildRollouts(['4', '5']));
        await scene.advance(1);
      }
      await scene.record('b', 'q', buildRollouts(['4', '5']));
      const listed = await store.listOpenBuckets(cohort.name, 10);
      expect(listed.map(({ promptId }) => promptId)).toEqual(['p', 'r']);
      expect(listed[0]).toEqual(await scene.bucket('p'));
      expect(await store.countOpenBuckets(cohort.name)).toBe(2);
      expect((await store.listOpenBuckets(cohort.name, 1)).map(({ promptId }) => promptId)).toEqual(['p']);
    });

    it('counts a bucket again that a restart opened again', async () => {
      const scene = await openScene(setup);
      await scene.skip('b', 'p', { round: 0 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 0, incarnation: 'i-1' });
      expect(await scene.store.countOpenBuckets(scene.cohort.name)).toBe(0);
      await scene.record('a', 'p', buildRollouts(['4']), { round: 0, incarnation: 'i-2' });
      expect(await scene.store.countOpenBuckets(scene.cohort.name)).toBe(1);
    });

    it('refuses to open more than the limit, stores nothing of the refused and all of the others', async () => {
      const scene = await openScene(setup, { limits: { openBuckets: 2 } });
      const rollouts = buildRollouts(['4', '5']);
      const arrivals = [
        ...['p', 'q', 'r'].map((promptId) => buildArrival(promptId, rollouts)),
        buildArrival('p', rollouts, { round: 0 }),
      ];
      const outcomes = await scene.sendAll('a', arrivals);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'full', 'stored']);
      expect(outcomes[2]).toEqual({ kind: 'full', limit: 2 });
      expect(await scene.bucket('r')).toBeNull();
      await scene.record('b', 'p', rollouts);
      expect((await scene.send('a', 'r', rollouts)).kind).toBe('stored');
    });

    it('lets a full cohort go on with its open buckets, and with groups that leave none open', async () => {
      const scene = await openScene(setup, { limits: { openBuckets: 1 } });
      const rollouts = buildRollouts(['4', '5']);
      await scene.skip('b', 'done', { round: 0 });
      await scene.record('a', 'p', [...rollouts.slice(0, 1)]);
      expect((await scene.send('a', 'p', rollouts.slice(1))).kind).toBe('stored');
      expect((await scene.send('a', 'done', rollouts)).kind).toBe('stored');
      expect((await scene.send('a', 'new', rollouts)).kind).toBe('full');
      await scene.skip('b', 'half', { round: 0 });
      expect((await scene.send('a', 'half', rollouts.slice(1))).kind).toBe('full');
    });
  });
}
