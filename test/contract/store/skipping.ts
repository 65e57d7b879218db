import { describe, expect, it } from 'vitest';
import { buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeSkipping(setup: StoreSetup): void {
  describe('skip', () => {
    it('leaves an empty group when nothing was sent, for those who wait and those who come later', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      const { ref, decision } = await scene.skip('b', 'p');
      expect(ref).toEqual({ promptId: 'p', round: 0 });
      expect(decision?.decided).toEqual(['b']);
      expect(decision?.bucket).toEqual(await scene.bucket('p'));
      await scene.skip('b', 'q');
      await scene.record('a', 'q', buildRollouts(['4', '5']));
      for (const promptId of ['p', 'q']) {
        expect(await scene.group('b', promptId)).toMatchObject({
          state: 'empty',
          cause: 'skip',
          rollouts: [],
        });
      }
    });

    it('decides a group with what it has, and gives a straggler no vote', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 0 });
      await scene.skip('a', 'p');
      await scene.record('a', 'p', buildRollouts(['6'], 'r', 2), { round: 0 });
      const { state, cause, rollouts } = await scene.group('a', 'p');
      expect([state, cause]).toEqual(['partial', 'skip']);
      expect(rollouts.map(({ late }) => late)).toEqual([false, false, true]);
    });

    it('is the same once or repeated, with and without round or step', async () => {
      const scene = await openScene(setup);
      for (const options of [{}, { round: 0 }, { step: 5 }]) {
        const promptId = JSON.stringify(options);
        expect((await scene.skip('a', promptId, options)).decision?.decided).toEqual(['a']);
        const again = await scene.skip('a', promptId, options);
        expect(again).toEqual({ ref: { promptId, round: 0 }, decision: null });
        expect(await scene.store.readPrompt(scene.cohort.name, promptId)).toHaveLength(1);
      }
    });

    it('takes another step, another round or someone waiting as another visit', async () => {
      const scene = await openScene(setup);
      await scene.skip('a', 'step', { step: 5 });
      expect((await scene.skip('a', 'step', { step: 6 })).ref.round).toBe(1);
      await scene.skip('a', 'round', { round: 0 });
      expect((await scene.skip('a', 'round', { round: 4 })).ref.round).toBe(4);
      await scene.skip('a', 'awaited');
      await scene.record('b', 'awaited', buildRollouts(['4', '5']), { round: 1 });
      expect((await scene.skip('a', 'awaited')).ref.round).toBe(1);
    });

    it('skips the next visit after a complete one, and counts as a visit', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      expect((await scene.skip('a', 'p')).ref.round).toBe(1);
      expect((await scene.record('a', 'p', buildRollouts(['4', '5'], 's'))).round).toBe(2);
    });

    it('changes nothing for the step of a complete visit, or of an earlier one', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { step: 5 });
      expect(await scene.skip('a', 'p', { step: 5 })).toMatchObject({ ref: { round: 0 }, decision: null });
      await scene.record('a', 'p', buildRollouts(['4', '5'], 's'), { step: 6 });
      expect(await scene.skip('a', 'p', { step: 5 })).toMatchObject({ ref: { round: 0 }, decision: null });
      expect(await scene.store.readPrompt(scene.cohort.name, 'p')).toHaveLength(2);
    });

    it('closes the visit of the step that it names, after the next one began', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', buildRollouts(['4']), { step: 5 });
      await scene.record('a', 'p', buildRollouts(['4'], 's'), { step: 6 });
      await scene.skip('a', 'p', { step: 5 });
      expect((await scene.group('a', 'p', 0)).state).toBe('partial');
      expect((await scene.group('a', 'p', 1)).state).toBe('open');
      expect((await scene.record('a', 'p', buildRollouts(['5'], 's', 1), { step: 6 })).round).toBe(1);
    });

    it('does not skip the next visit when the deadline closed the unfinished one already', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4']));
      await scene.advance(1_000);
      expect(await scene.skip('a', 'p')).toEqual({ ref: { promptId: 'p', round: 0 }, decision: null });
    });

    it('answers for every prompt in the order asked', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'q', buildRollouts(['4']));
      const skips = ['p', 'q', 'p'].map((promptId) => ({ promptId, round: null, step: null }));
      const outcomes = await scene.store.skip(scene.cohort, 'a', skips);
      expect(outcomes.map(({ ref, decision }) => [ref.promptId, decision?.decided ?? null])).toEqual([
        ['p', ['a']],
        ['q', ['a']],
        ['p', null],
      ]);
    });

    it('leaves no open bucket behind', async () => {
      const scene = await openScene(setup);
      await scene.skip('a', 'p');
      expect(await scene.store.countOpenBuckets(scene.cohort.name)).toBe(0);
    });

    it('speaks for the latest incarnation: its own later rollouts are stragglers, not a restart', async () => {
      const scene = await openScene(setup);
      await scene.store.register(scene.cohort.name, 'a', 'i-1');
      await scene.skip('a', 'p', { round: 0 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 0, incarnation: 'i-1' });
      expect(await scene.group('a', 'p')).toMatchObject({
        state: 'empty',
        cause: 'skip',
        incarnation: 'i-1',
      });
    });
  });
}
