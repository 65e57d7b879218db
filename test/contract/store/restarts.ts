import { describe, expect, it } from 'vitest';
import type { Group } from '../../../src/domain/bucket.ts';
import { buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

const OLD = { incarnation: 'i-1' };
const NEW = { incarnation: 'i-2' };

function describeRollouts({ rollouts }: Group): string[] {
  return rollouts.map(({ id, incarnation, late }) => `${incarnation}/${id}${late ? ' late' : ''}`);
}

export function describeRestarts(setup: StoreSetup): void {
  describe('incarnations', () => {
    it('tells a first, a current, a new and a stale one apart', async () => {
      const scene = await openScene(setup);
      const register = (incarnation: string | null) =>
        scene.store.register(scene.cohort.name, 'a', incarnation);
      expect(await register(null)).toEqual({ kind: 'current' });
      expect(await register('i-1')).toEqual({ kind: 'new', previous: null });
      expect(await register('i-1')).toEqual({ kind: 'current' });
      expect(await register('i-2')).toEqual({ kind: 'new', previous: 'i-1' });
      expect(await register('i-1')).toEqual({ kind: 'stale', latest: 'i-2' });
      expect(await register(null)).toEqual({ kind: 'current' });
      expect(await register('i-2')).toEqual({ kind: 'current' });
    });

    it('counts incarnations of each agent for itself', async () => {
      const scene = await openScene(setup);
      await scene.store.register(scene.cohort.name, 'a', 'i-1');
      const other = await scene.store.register(scene.cohort.name, 'b', 'i-1');
      expect(other).toEqual({ kind: 'new', previous: null });
    });

    it('notices a restart', async () => {
      const scene = await openScene(setup);
      await scene.store.register(scene.cohort.name, 'a', 'i-1');
      await scene.store.register(scene.cohort.name, 'a', 'i-2');
      const notice = await scene.noticed(({ kind }) => kind === 'restarted');
      expect(notice).toEqual({
        kind: 'restarted',
        cohort: scene.cohort.name,
        agent: 'a',
        incarnation: 'i-2',
      });
    });
  });

  for (const round of [0, null]) {
    describe(`a restarted agent, ${round === null ? 'rounds counted' : 'rounds sent'}`, () => {
      it('replaces the answers of its open group', async () => {
        const scene = await openScene(setup);
        await scene.record('b', 'p', buildRollouts(['4', '5']), { round });
        await scene.record('a', 'p', buildRollouts(['4']), { ...OLD, round });
        const { decided } = await scene.record('a', 'p', buildRollouts(['6', '7']), { ...NEW, round });
        expect(decided).toEqual(['a']);
        expect(describeRollouts(await scene.group('a', 'p'))).toEqual(['i-2/r0', 'i-2/r1']);
      });

      it('replaces a decided vote that nobody was scored against', async () => {
        const scene = await openScene(setup);
        await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, round });
        const part = await scene.record('a', 'p', buildRollouts(['6']), { ...NEW, round });
        expect(part).toMatchObject({ round: 0, decided: [] });
        expect((await scene.group('a', 'p')).state).toBe('open');
        const rest = await scene.record('a', 'p', buildRollouts(['7'], 'r', 1), { ...NEW, round });
        expect(rest).toMatchObject({ round: 0, decided: ['a'] });
        expect(describeRollouts(await scene.group('a', 'p'))).toEqual(['i-2/r0', 'i-2/r1']);
      });

      it('keeps a vote that was used, and takes the replayed rollouts late', async () => {
        const scene = await openScene(setup);
        await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, round });
        await scene.record('b', 'p', buildRollouts(['4', '5']), { round });
        const before = await scene.group('a', 'p');
        for (const from of [0, 1, 0]) {
          const sent = await scene.record('a', 'p', buildRollouts(['9'], 'r', from), { ...NEW, round });
          expect(sent).toMatchObject({
            round: 0,
            decided: [],
            slots: [{ id: `r${from}`, incarnation: 'i-2' }],
          });
        }
        const after = await scene.group('a', 'p');
        expect(describeRollouts(after)).toEqual(['i-1/r0', 'i-1/r1', 'i-2/r0 late', 'i-2/r1 late']);
        expect({ ...after, rollouts: after.rollouts.slice(0, 2) }).toEqual(before);
      });
    });
  }

  describe('a restarted agent', () => {
    it('joins the peer’s open bucket instead of replaying a used one', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), OLD);
      await scene.record('b', 'p', buildRollouts(['4', '5'], 'first'));
      await scene.record('b', 'p', buildRollouts(['4', '5'], 'second'));
      expect((await scene.record('a', 'p', buildRollouts(['9', '9']), NEW)).round).toBe(1);
    });

    it('goes on to the next round when its step is later than the last visit', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, step: 8 });
      await scene.record('b', 'p', buildRollouts(['4', '5']));
      const sent = await scene.record('a', 'p', buildRollouts(['9', '9']), { ...NEW, step: 9 });
      expect(sent.round).toBe(1);
    });

    it('counts on after its replay', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, step: 8 });
      await scene.record('b', 'p', buildRollouts(['4', '5']));
      await scene.record('a', 'p', buildRollouts(['9', '9']), { ...NEW, step: 7 });
      const next = await scene.record('a', 'p', buildRollouts(['1', '2'], 'next'), { ...NEW, step: 9 });
      expect(next.round).toBe(1);
    });

    it('finds the replayed rollouts of a retry, though their step is not the one of the group', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, step: 8 });
      await scene.record('b', 'p', buildRollouts(['4', '5']));
      for (const added of [2, 0]) {
        const replay = await scene.record('a', 'p', buildRollouts(['9', '9']), { ...NEW, step: 7 });
        expect(replay).toMatchObject({ round: 0, added });
      }
    });

    it('starts its grace anew, and keeps the deadline that others rely on', async () => {
      const scene = await openScene(setup, { k: 3, barrier: { deadlineMs: 1_000, quorum: 2, graceMs: 300 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, round: 0 });
      await scene.advance(200);
      await scene.record('a', 'p', buildRollouts(['6']), { ...NEW, round: 0 });
      expect(await scene.advance(700)).toEqual([]);
      await scene.advance(100);
      expect(await scene.group('a', 'p')).toMatchObject({ state: 'partial', cause: 'deadline' });
      expect(describeRollouts(await scene.group('a', 'p'))).toEqual(['i-2/r0']);
    });

    it('gets a deadline of its own when it replaces a decided vote', async () => {
      const scene = await openScene(setup, { barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { ...OLD, round: 0 });
      await scene.advance(900);
      await scene.record('a', 'p', buildRollouts(['6']), { ...NEW, round: 0 });
      expect((await scene.advance(999)).flatMap(({ decided }) => decided)).toEqual(['b']);
      expect((await scene.advance(1)).flatMap(({ decided }) => decided)).toEqual(['a']);
    });
  });
}
