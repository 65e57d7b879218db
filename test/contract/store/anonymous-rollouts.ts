import { describe, expect, it } from 'vitest';
import {
  buildAnonymous,
  buildArrival,
  buildContext,
  buildRollout,
  storedBucket,
} from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

const ref = (round = 0) => ({ promptId: 'p', round });

export function describeAnonymousRollouts(setup: StoreSetup): void {
  describe('rollouts without id', () => {
    it('counts two live identical texts as two votes', async () => {
      const scene = await openScene(setup, { k: 3 });
      const first = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      const second = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h2' });
      expect(second.slots).not.toEqual(first.slots);
      expect((await scene.group('a', 'p')).rollouts).toHaveLength(2);
    });

    it('counts identical texts of one submission each', async () => {
      const scene = await openScene(setup, { k: 3 });
      const texts = [buildAnonymous('x'), buildAnonymous('x'), buildAnonymous('y')];
      const { slots, decided } = await scene.record('a', 'p', texts);
      expect(new Set(slots.map(({ id }) => id)).size).toBe(3);
      expect(decided).toEqual(['a']);
    });

    it('keeps rollouts that are asked for again from an identical text, until they are released once more', async () => {
      const scene = await openScene(setup, { k: 2 });
      const sent = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.release('a', 'h1', ref());
      const group = { ...ref(), rolloutIds: sent.slots.map(({ id }) => id), incarnation: null };
      await scene.store.hold(scene.cohort.name, 'a', 'h2', [group]);
      const other = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h3' });
      expect(other.slots).not.toEqual(sent.slots);
      await scene.store.hold(scene.cohort.name, 'a', 'h4', [group]);
      await scene.release('a', 'h4', ref());
      await scene.release('a', 'h2', ref());
      const again = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h5' });
      expect(again.slots).toEqual(sent.slots);
    });

    it('counts a text that its client cannot be back with yet, and takes one that it may be for the same', async () => {
      const scene = await openScene(setup, { k: 3 });
      const ask = async (holder: string) => {
        const { slots } = await scene.record('a', 'p', [buildAnonymous('x')], {
          holder,
          pausesMs: [1_000, 2_000],
        });
        await scene.release('a', holder, ref());
        return slots[0]?.id;
      };
      const first = await ask('h1');
      await scene.advance(800);
      const second = await ask('h2');
      expect(second).not.toBe(first);
      await scene.advance(500);
      expect([first, second]).toContain(await ask('h3'));
      // Three within a second are of three.
      expect([first, second]).not.toContain(await ask('h4'));
      expect((await scene.group('a', 'p')).rollouts).toHaveLength(3);
    });

    it('counts identical texts in several arrivals of one call each, over several visits, once', async () => {
      const scene = await openScene(setup, { k: 2 });
      const arrivals = ['x', 'x', 'x', 'y', 'x'].map((text) => buildArrival('p', [buildAnonymous(text)]));
      const slotsOf = async (holder: string) =>
        (await scene.sendAll('a', arrivals, { holder })).map((outcome) => {
          const { round, groups } = storedBucket(outcome);
          return [round, groups.get('a')?.rollouts.length];
        });
      expect(await slotsOf('h1')).toEqual([0, 0, 1, 1, 2].map((round, at) => [round, (at % 2) + 1]));
      const again = await slotsOf('h1');
      expect(again).toEqual([
        [0, 2],
        [0, 2],
        [1, 2],
        [1, 2],
        [2, 1],
      ]);
      await scene.release('a', 'h1', ref(0), ref(1), ref(2));
      const rounds = (await slotsOf('h2')).map(([round]) => round);
      expect(rounds.sort()).toEqual([0, 0, 1, 1, 2]);
    });

    it('changes nothing when the same connection records its submission again', async () => {
      const scene = await openScene(setup, { k: 3 });
      const texts = [buildAnonymous('x'), buildAnonymous('x'), buildAnonymous('y')];
      const first = await scene.record('a', 'p', texts, { holder: 'h1' });
      const again = await scene.record('a', 'p', texts, { holder: 'h1' });
      expect(again).toMatchObject({ round: 0, added: 0, decided: [] });
      expect(again.slots).toEqual(first.slots);
      expect(again.bucket).toEqual(first.bucket);
    });

    it('re-attaches an identical text to one whose connection closed unanswered', async () => {
      const scene = await openScene(setup, { k: 2 });
      const first = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.release('a', 'h1', ref());
      const retry = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h2' });
      expect(retry).toMatchObject({ added: 0, round: 0 });
      expect(retry.slots).toEqual(first.slots);
      const { rollouts } = await scene.group('a', 'p');
      expect(rollouts).toMatchObject([{ holder: expect.any(String), anonymous: true }]);
    });

    it('gives back what a connection holds in every round, where it is not known which they are', async () => {
      const scene = await openScene(setup, { k: 2 });
      const texts = ['x', 'y', 'z'].map((text) => buildArrival('p', [buildAnonymous(text)]));
      await scene.sendAll('a', texts, { holder: 'h1' });
      await scene.store.release(scene.cohort.name, 'a', 'h1', [{ promptId: 'p', round: null }]);
      const retried = await scene.sendAll('a', texts, { holder: 'h2' });
      expect(retried.map((outcome) => outcome.kind === 'stored' && outcome.added)).toEqual([0, 0, 0]);
      expect(retried.map((outcome) => storedBucket(outcome).round)).toEqual([0, 0, 1]);
    });

    it('does not let a late close of the old connection take the rollout from the new one', async () => {
      const scene = await openScene(setup, { k: 3 });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.release('a', 'h1', ref());
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h2' });
      await scene.release('a', 'h1', ref());
      const other = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h3' });
      expect(other.added).toBe(1);
      const { rollouts } = await scene.group('a', 'p');
      expect(rollouts.map(({ holder }) => holder === null)).toEqual([false, false]);
    });

    it('takes up as many of the texts left behind as come again, and adds the rest', async () => {
      const scene = await openScene(setup, { k: 4 });
      const x = buildAnonymous('x');
      await scene.record('a', 'p', [x, x], { holder: 'h1' });
      await scene.release('a', 'h1', ref());
      const { added, slots } = await scene.record('a', 'p', [x, x, x], { holder: 'h2' });
      expect(added).toBe(1);
      expect(new Set(slots.map(({ id }) => id)).size).toBe(3);
    });

    it('finds a lost request in its decided group, also after the next visit began', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.record('a', 'p', [buildAnonymous('y')], { holder: 'h2' });
      await scene.release('a', 'h1', ref());
      await scene.record('a', 'p', [buildAnonymous('z')], { holder: 'h3' });
      const retry = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h4' });
      expect(retry).toMatchObject({ round: 0, added: 0, decided: [] });
      expect((await scene.group('a', 'p', 1)).rollouts).toHaveLength(1);
    });

    it('takes a text of an answered connection as a rollout of the next visit', async () => {
      const scene = await openScene(setup, { k: 1 });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      const next = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h2' });
      expect(next).toMatchObject({ round: 1, added: 1 });
    });

    it('never gives back what was answered, whoever asks for it and whatever becomes of its connection', async () => {
      const scene = await openScene(setup, { k: 1 });
      const { slots } = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.answer('a', 'h1', ref());
      await scene.answer('a', 'h1', ref());
      const group = { ...ref(), rolloutIds: slots.map(({ id }) => id), incarnation: null };
      await scene.store.hold(scene.cohort.name, 'a', 'h2', [group]);
      await scene.release('a', 'h1', ref());
      await scene.release('a', 'h2', ref());
      const next = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h3' });
      expect(next).toMatchObject({ round: 1, added: 1 });
      expect((await scene.group('a', 'p')).rollouts).toMatchObject([{ holder: '=', anonymous: true }]);
    });

    it('takes as answered what one connection holds, and leaves the rest to its retry', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h2' });
      await scene.answer('a', 'h1', ref());
      await scene.answer('b', 'h2', ref());
      await scene.answer('a', 'h2', ref(1), { promptId: 'never seen', round: 0 });
      await scene.store.answer(`${scene.cohort.name}-unknown`, 'a', 'h2', [ref()]);
      await scene.release('a', 'h2', ref());
      const retry = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h3' });
      expect(retry).toMatchObject({ round: 0, added: 0 });
      const next = await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h4' });
      expect(next).toMatchObject({ round: 1, added: 1 });
    });

    it('takes as answered what a connection holds in every round, where it is not known which they are', async () => {
      const scene = await openScene(setup, { k: 1 });
      const texts = ['x', 'y'].map((text) => buildArrival('p', [buildAnonymous(text)]));
      await scene.sendAll('a', texts, { holder: 'h1' });
      await scene.store.answer(scene.cohort.name, 'a', 'h1', [{ promptId: 'p', round: null }]);
      await scene.release('a', 'h1', ref(0), ref(1));
      const sent = await scene.sendAll('a', texts, { holder: 'h2' });
      expect(sent.map((outcome) => storedBucket(outcome).round)).toEqual([2, 3]);
    });

    it('stores nothing without id of a caller who has left, and the rest', async () => {
      const scene = await openScene(setup, { k: 2 });
      const arrivals = [
        buildArrival('p', [buildAnonymous('x')]),
        buildArrival('q', [buildRollout('r0', '4')]),
      ];
      const { finished: _, ...context } = buildContext(scene.cohort, 'a', { holder: 'h1' });
      const outcomes = await scene.store.submit(scene.cohort, context, arrivals, AbortSignal.abort());
      expect(outcomes.map(({ kind }) => kind)).toEqual(['left', 'stored']);
      expect(await scene.bucket('p')).toBeNull();
    });

    it('starts the next visit when only some texts were left behind by the last one', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('a', 'p', [buildAnonymous('x'), buildAnonymous('y')], { holder: 'h1' });
      await scene.release('a', 'h1', ref());
      const next = await scene.record('a', 'p', [buildAnonymous('x'), buildAnonymous('z')], { holder: 'h2' });
      expect(next).toMatchObject({ round: 1, added: 2 });
    });

    it('ignores the close of a connection it does not know, or of an unknown bucket', async () => {
      const scene = await openScene(setup, { k: 2 });
      await scene.record('a', 'p', [buildAnonymous('x')], { holder: 'h1' });
      const before = await scene.bucket('p');
      await scene.release('a', 'h9', ref());
      await scene.release('b', 'h1', ref());
      await scene.release('a', 'h1', { promptId: 'never seen', round: 0 }, ref(5));
      await scene.store.release(`${scene.cohort.name}-unknown`, 'a', 'h1', [ref()]);
      expect(await scene.bucket('p')).toEqual(before);
      expect(await scene.bucket('never seen')).toBeNull();
    });
  });
}
