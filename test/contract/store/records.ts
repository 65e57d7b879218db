import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/store/store.ts';
import { buildArrival, buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeRecords(setup: StoreSetup): void {
  describe('reading', () => {
    it('gives buckets in the order asked, null for those unknown', async () => {
      const scene = await openScene(setup);
      await scene.sendAll(
        'a',
        ['p', 'q'].map((promptId) => buildArrival(promptId, buildRollouts(['4']))),
      );
      const refs = [
        { promptId: 'q', round: 0 },
        { promptId: 'q', round: 1 },
        { promptId: 'x', round: 0 },
        { promptId: 'p', round: 0 },
      ];
      const buckets = await scene.store.readBuckets(scene.cohort.name, refs);
      expect(buckets.map((bucket) => bucket?.promptId ?? null)).toEqual(['q', null, null, 'p']);
    });

    it('does not change what was read when more arrives', async () => {
      const scene = await openScene(setup, { k: 3 });
      await scene.record('a', 'p', buildRollouts(['4']));
      const before = await scene.bucket('p');
      await scene.record('a', 'p', buildRollouts(['5'], 'r', 1));
      expect(before?.groups.get('a')?.rollouts).toHaveLength(1);
    });
  });

  describe('submissions', () => {
    const record = {
      agent: 'a',
      incarnation: 'i-1',
      recordedAt: 7,
      groups: [{ promptId: 'p', round: 0, rolloutIds: ['r1', 'r0'], incarnation: 'i-1' }],
    };

    it('are found by agent and id', async () => {
      const { store, cohort } = await openScene(setup);
      await store.putSubmission(cohort, 's-1', record);
      await store.putSubmission(cohort, 's-1', { ...record, agent: 'b', groups: [] });
      expect(await store.getSubmission(cohort.name, 'a', 's-1')).toEqual(record);
      expect(await store.getSubmission(cohort.name, 'b', 's-1')).toMatchObject({ agent: 'b', groups: [] });
      expect(await store.getSubmission(cohort.name, 'a', 's-2')).toBeNull();
    });

    it('are replaced when put again', async () => {
      const { store, cohort } = await openScene(setup);
      await store.putSubmission(cohort, 's-1', { ...record, groups: [] });
      await store.putSubmission(cohort, 's-1', record);
      expect(await store.getSubmission(cohort.name, 'a', 's-1')).toEqual(record);
    });

    it('are kept as long as the decision they wait for, from the last time they were put', async () => {
      const scene = await openScene(setup, { retentionMs: 10_000, barrier: { deadlineMs: 1_000 } });
      const { store, cohort } = scene;
      await store.putSubmission(cohort, 's-1', record);
      await store.putSubmission(cohort, 's-2', record);
      await scene.advance(6_000);
      await store.putSubmission(cohort, 's-1', record);
      await scene.advance(4_999);
      expect(await store.getSubmission(cohort.name, 'a', 's-2')).toEqual(record);
      await scene.advance(2);
      expect(await store.getSubmission(cohort.name, 'a', 's-2')).toBeNull();
      expect(await store.getSubmission(cohort.name, 'a', 's-1')).toEqual(record);
    });
  });

  describe('activity', () => {
    it('tells of every agent of the cohort in its order, also of one that never spoke', async () => {
      const scene = await openScene(setup, { agents: ['c', 'a', 'b'] });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      const activity = await scene.store.readActivity(scene.cohort);
      expect(activity.map(({ agent }) => agent)).toEqual(['c', 'a', 'b']);
      expect(activity[0]).toEqual({
        agent: 'c',
        incarnation: null,
        finished: false,
        lastArrivalAt: null,
        rollouts: 0,
        recentPrompts: [],
        trail: { step: null, incarnation: null, rewind: null },
      });
    });

    it('knows the step of the latest new rollouts, and that it went back without a new incarnation', async () => {
      const scene = await openScene(setup);
      const read = async () => (await scene.store.readActivity(scene.cohort))[0]?.trail;
      await scene.record('a', 'p', buildRollouts(['4', '5']), { step: 7 });
      await scene.record('a', 'q', buildRollouts(['4', '5']), { step: 3 });
      expect(await read()).toMatchObject({ step: 3, incarnation: null, rewind: { from: 7, to: 3 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { step: 7, round: 0 });
      expect(await read()).toMatchObject({ step: 3 });
      await scene.skip('a', 's');
      expect(await read()).toMatchObject({ step: 3, rewind: { from: 7, to: 3 } });
      await scene.record('a', 'r', buildRollouts(['4', '5']), { step: 8 });
      expect(await read()).toEqual({ step: 8, incarnation: null, rewind: null });
    });

    it('counts rollouts without repeats and with replayed ones, and knows who speaks and when', async () => {
      const scene = await openScene(setup);
      const read = async () => (await scene.store.readActivity(scene.cohort))[0];
      await scene.store.register(scene.cohort.name, 'a', 'i-1');
      await scene.record('a', 'p', buildRollouts(['4', '5']), { incarnation: 'i-1', round: 0 });
      const first = await read();
      await scene.advance(500);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { incarnation: 'i-1', round: 0 });
      expect(await read()).toMatchObject({ incarnation: 'i-1', finished: false, rollouts: 2 });
      expect(((await read())?.lastArrivalAt ?? 0) - (first?.lastArrivalAt ?? 0)).toBe(500);
      await scene.store.register(scene.cohort.name, 'a', 'i-2');
      await scene.record('a', 'p', buildRollouts(['6', '7']), { incarnation: 'i-2', round: 0 });
      expect(await read()).toMatchObject({ incarnation: 'i-2', rollouts: 4 });
      await scene.store.finish(scene.cohort, 'a');
      expect((await read())?.finished).toBe(true);
    });

    it('counts no refused rollouts', async () => {
      const scene = await openScene(setup, { limits: { openBuckets: 0 } });
      expect((await scene.send('a', 'p', buildRollouts(['4']))).kind).toBe('full');
      expect((await scene.store.readActivity(scene.cohort))[0]).toMatchObject({
        rollouts: 0,
        lastArrivalAt: null,
      });
    });

    it('keeps the latest prompts, each once and newest last, and never more than a bound', async () => {
      const scene = await openScene(setup, { k: 4 });
      for (const [promptId, from] of [
        ['p', 0],
        ['q', 0],
        ['p', 1],
      ] as const) {
        await scene.record('a', promptId, buildRollouts(['4'], 'r', from));
      }
      await scene.skip('a', 's');
      const read = async () => (await scene.store.readActivity(scene.cohort))[0]?.recentPrompts ?? [];
      expect(await read()).toEqual(['q', 'p', 's'].map((promptId) => ({ promptId, round: 0 })));
      const many = Array.from({ length: 900 }, (_, at) => buildArrival(`m${at}`, buildRollouts(['4'])));
      await scene.sendAll('a', many);
      const recent = await read();
      expect(recent.length).toBeGreaterThanOrEqual(100);
      expect(recent.length).toBeLessThan(900);
      expect(recent.at(-1)).toEqual({ promptId: 'm899', round: 0 });
    });
  });

  describe('notices', () => {
    it('tell of a decided group, to every listener until it leaves', async () => {
      const scene = await openScene(setup);
      const heard: Notice[] = [];
      const leave = scene.store.subscribe((notice) => heard.push(notice));
      leave();
      leave();
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      const notice = await scene.noticed(({ kind }) => kind === 'decided');
      expect(notice).toEqual({
        kind: 'decided',
        cohort: scene.cohort.name,
        ref: { promptId: 'p', round: 0 },
      });
      expect(heard).toEqual([]);
    });

    it('tell of groups that skip and finish decided', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.record('b', 'q', buildRollouts(['4']));
      await scene.skip('b', 'p');
      await scene.noticed((notice) => notice.kind === 'decided' && notice.ref.promptId === 'p');
      await scene.store.finish(scene.cohort, 'b');
      await scene.noticed((notice) => notice.kind === 'decided' && notice.ref.promptId === 'q');
    });
  });
}
