import { describe, expect, it } from 'vitest';
import { goneFrom } from '../../../src/domain/bucket.ts';
import { buildRollout, buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeClosing(setup: StoreSetup): void {
  describe('deadline, quorum and grace', () => {
    it('decides groups that are not full by their deadline: partial, or empty', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      expect(await scene.advance(999)).toEqual([]);
      const due = await scene.advance(1);
      expect(due.flatMap(({ decided }) => decided).sort()).toEqual(['a', 'b']);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'partial', cause: 'deadline' });
      expect(await scene.group('b', 'p')).toMatchObject({ state: 'empty', cause: 'deadline' });
      expect(due.at(-1)?.bucket).toEqual(await scene.bucket('p'));
    });

    it('hands each due decision to one caller', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      const due = (await Promise.all([scene.advance(1_000), scene.advance(0), scene.advance(0)])).flat();
      expect(due.flatMap(({ decided }) => decided).sort()).toEqual(['a', 'b']);
      expect(await scene.advance(60_000)).toEqual([]);
    });

    it('runs a deadline from the first sign of the group, not from its first rollout', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '4', '4', '4']));
      await scene.advance(600);
      await scene.record('b', 'p', buildRollouts(['4']));
      await scene.advance(400);
      expect(await scene.group('b', 'p')).toMatchObject({ state: 'partial', cause: 'deadline' });
    });

    it('decides at quorum and grace, counted from the rollout that made the quorum', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 9_000, quorum: 2, graceMs: 500 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.advance(400);
      await scene.record('a', 'p', buildRollouts(['5'], 'r', 1));
      await scene.advance(400);
      await scene.record('a', 'p', buildRollouts(['6'], 'r', 2));
      expect(await scene.advance(99)).toEqual([]);
      expect((await scene.advance(1)).map(({ decided }) => decided)).toEqual([['a']]);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'partial', cause: 'quorum' });
      expect((await scene.group('b', 'p')).state).toBe('open');
    });

    it('decides at once a group that has stopped at a count, and none that has more or is decided', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 9_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.record('a', 'q', buildRollouts(['4', '5', '6']));
      await scene.record('a', 'full', buildRollouts(['4', '5', '6', '7']));
      const refs = ['p', 'q', 'full', 'unknown'].map((promptId) => ({ promptId, round: 0 }));
      const ended = await Promise.all([
        scene.store.endShort(scene.cohort, 'a', refs, 2),
        scene.store.endShort(scene.cohort, 'a', refs, 2),
      ]);
      expect(ended.flat().map(({ bucket, decided }) => [bucket.promptId, ...decided])).toEqual([['p', 'a']]);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'partial', cause: 'quorum' });
      expect((await scene.group('a', 'q')).state).toBe('open');
      expect((await scene.group('a', 'full')).cause).toBe('k');
      expect(
        (await scene.record('a', 'p', buildRollouts(['6'], 'r', 2))).bucket.groups.get('a')?.rollouts,
      ).toMatchObject([{ late: false }, { late: false }, { late: true }]);
    });

    it('decides at quorum and grace though nothing more comes', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 9_000, quorum: 2, graceMs: 500 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.advance(400);
      await scene.record('a', 'p', buildRollouts(['5'], 'r', 1));
      expect((await scene.advance(500)).map(({ decided }) => decided)).toEqual([['a']]);
    });

    it('completes a group whose last rollout comes within the grace', async () => {
      const scene = await openScene(setup, { k: 2, barrier: { quorum: 1, graceMs: 500 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.advance(499);
      await scene.record('a', 'p', buildRollouts(['5'], 'r', 1));
      expect(await scene.advance(1)).toEqual([]);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'complete', cause: 'k' });
    });

    it('lets the deadline win over a longer grace', async () => {
      const scene = await openScene(setup, {
        k: 2,
        barrier: { deadlineMs: 1_000, quorum: 1, graceMs: 9_000 },
      });
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.advance(1_000);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'partial', cause: 'deadline' });
    });

    it('gives late stragglers no vote and leaves the decision as it was', async () => {
      const scene = await openScene(setup, { k: 3, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', [buildRollout('r0', '4')], { round: 0 });
      await scene.advance(1_000);
      const before = await scene.group('a', 'p');
      const late = await scene.record('a', 'p', buildRollouts(['5', '5'], 'r', 1), { round: 0 });
      expect(late).toMatchObject({ added: 2, decided: [] });
      const { rollouts, ...decision } = await scene.group('a', 'p');
      const { rollouts: voted, ...decidedBefore } = before;
      expect(decision).toEqual(decidedBefore);
      expect(rollouts.filter((rollout) => !rollout.late)).toEqual(voted);
      expect(rollouts.filter((rollout) => rollout.late).map(({ id }) => id)).toEqual(['r1', 'r2']);
    });

    it('notices a decision by the clock', async () => {
      const scene = await openScene(setup, { barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      const notice = scene.noticed(({ kind }) => kind === 'decided');
      await scene.advance(1_000);
      expect(await notice).toEqual({
        kind: 'decided',
        cohort: scene.cohort.name,
        ref: { promptId: 'p', round: 0 },
      });
    });
  });

  describe('finish', () => {
    it('decides the open groups of the agent with what they have, and nobody else’s', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('b', 'p', buildRollouts(['4']));
      await scene.record('a', 'q', buildRollouts(['4']));
      await scene.record('a', 'r', buildRollouts(['4', '5']));
      await scene.record('b', 'r', buildRollouts(['4', '5']));
      const decisions = await scene.store.finish(scene.cohort, 'b');
      expect(decisions.map(({ bucket, decided }) => [bucket.promptId, decided]).sort()).toEqual([
        ['p', ['b']],
        ['q', ['b']],
      ]);
      expect(await scene.group('b', 'p')).toMatchObject({ state: 'partial', cause: 'finish' });
      expect(await scene.group('b', 'q')).toMatchObject({ state: 'empty', cause: 'finish' });
      expect(await scene.group('b', 'r')).toMatchObject({ state: 'complete', cause: 'k' });
      expect((await scene.group('a', 'q')).state).toBe('open');
      expect(await scene.store.finish(scene.cohort, 'b')).toEqual([]);
    });

    it('decides groups that are opened later at once', async () => {
      const scene = await openScene(setup);
      await scene.store.finish(scene.cohort, 'b');
      const sent = await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect([...sent.decided].sort()).toEqual(['a', 'b']);
      expect(await scene.group('b', 'p')).toMatchObject({ state: 'empty', cause: 'finish' });
    });

    it('lets the next of the ring be waited for in buckets that come after it', async () => {
      const scene = await openScene(setup, { agents: ['a', 'b', 'c'] });
      await scene.store.finish(scene.cohort, 'c');
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect(await scene.group('c', 'p')).toMatchObject({ state: 'empty', cause: 'finish' });
      expect((await scene.group('b', 'p')).state).toBe('open');
      const bucket = await scene.bucket('p');
      expect(bucket === null ? [] : [...goneFrom(bucket)]).toEqual(['c']);
    });

    it('leaves a bucket that waited for the agent before without the next of the ring', async () => {
      const scene = await openScene(setup, { agents: ['a', 'b', 'c'] });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.store.finish(scene.cohort, 'c');
      const bucket = await scene.bucket('p');
      expect(bucket === null ? ['none'] : [...goneFrom(bucket), ...bucket.groups.keys()]).toEqual(['a', 'c']);
    });

    it('keeps what the agent still sends, decided at once', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.store.register(scene.cohort.name, 'b', 'i-1');
      await scene.store.finish(scene.cohort, 'b');
      await scene.store.register(scene.cohort.name, 'b', 'i-1');
      const sent = await scene.record('b', 'p', buildRollouts(['4', '5']), { incarnation: 'i-1' });
      expect(sent.decided).toEqual(['b']);
      expect(await scene.group('b', 'p')).toMatchObject({ state: 'partial', cause: 'finish' });
    });

    it('is undone by a new incarnation, and not by another word of the one that finished', async () => {
      const scene = await openScene(setup);
      const { name } = scene.cohort;
      const isFinished = async () => (await scene.store.readActivity(scene.cohort))[1]?.finished;
      await scene.store.register(name, 'b', 'i-1');
      await scene.store.finish(scene.cohort, 'b');
      await scene.store.register(name, 'b', 'i-1');
      expect(await isFinished()).toBe(true);
      // Nor by a word that names none, as a health check of the same job may send.
      await scene.store.register(name, 'b', null);
      expect(await isFinished()).toBe(true);
      await scene.store.register(name, 'b', 'i-2');
      expect(await isFinished()).toBe(false);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect((await scene.group('b', 'p')).state).toBe('open');
      await scene.store.finish(scene.cohort, 'b');
      await scene.store.register(name, 'b', 'i-1');
      expect(await isFinished()).toBe(true);
    });

    it('is undone by any word of an agent that has no incarnations', async () => {
      const scene = await openScene(setup);
      await scene.store.finish(scene.cohort, 'b');
      await scene.store.register(scene.cohort.name, 'b', null);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect((await scene.group('b', 'p')).state).toBe('open');
    });
  });
}
