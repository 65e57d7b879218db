import { describe, expect, it } from 'vitest';
import { buildArrival, buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function describeRounds(setup: StoreSetup): void {
  describe('rounds that the store counts', () => {
    it('counts the visits of each agent to each prompt', async () => {
      const scene = await openScene(setup);
      for (const round of [0, 1, 2]) {
        const sent = await scene.record('a', 'p', buildRollouts(['4', '5'], `visit${round}-`));
        expect(sent.round).toBe(round);
      }
      expect((await scene.record('a', 'q', buildRollouts(['4', '5']))).round).toBe(0);
      expect((await scene.record('b', 'p', buildRollouts(['4', '5']))).round).toBe(0);
    });

    it('lets the parts of a group fill the visit that has room', async () => {
      const scene = await openScene(setup, { k: 4 });
      const rounds = [];
      for (const from of [0, 2, 4, 6]) {
        rounds.push((await scene.record('a', 'p', buildRollouts(['4', '5'], 'r', from))).round);
      }
      expect(rounds).toEqual([0, 0, 1, 1]);
    });

    it('starts the next visit for more rollouts than the current one has room for', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', buildRollouts(['4', '5', '6']));
      const next = await scene.record('a', 'p', buildRollouts(['4', '5'], 's'));
      expect(next.round).toBe(1);
    });

    it('finds the round of a retry by its ids', async () => {
      const scene = await openScene(setup);
      const first = buildRollouts(['4', '5'], 'first');
      await scene.record('a', 'p', first);
      await scene.record('a', 'p', buildRollouts(['6', '7'], 'second'));
      const retry = await scene.record('a', 'p', first);
      expect(retry).toMatchObject({ round: 0, added: 0, decided: [] });
      const third = await scene.record('a', 'p', buildRollouts(['8', '9'], 'third'));
      expect(third.round).toBe(2);
    });

    it('takes reused ids with other texts as the next visit, not as a conflict', async () => {
      const scene = await openScene(setup, { k: 3 });
      await scene.record('a', 'p', buildRollouts(['4', '5', '6']));
      const next = await scene.send('a', 'p', buildRollouts(['4', '7', '8']));
      expect(next).toMatchObject({ kind: 'stored', added: 3 });
      expect((await scene.group('a', 'p', 1)).state).toBe('complete');
    });

    it('takes equal groups of one call as as many visits, and their retry as the same ones in their order', async () => {
      const scene = await openScene(setup);
      const [same, other] = [buildRollouts(['4', '4']), buildRollouts(['4', '5'])];
      const roundsOf = async (step: number, groups: readonly (typeof same)[]) => {
        const arrivals = groups.map((rollouts) => buildArrival('p', rollouts));
        const outcomes = await scene.sendAll('a', arrivals, { step });
        return outcomes.map((outcome) =>
          outcome.kind === 'stored' ? [outcome.bucket.round, outcome.added] : outcome,
        );
      };
      expect(await roundsOf(1, [same, same])).toEqual([
        [0, 2],
        [1, 2],
      ]);
      expect(await roundsOf(1, [same, same])).toEqual([
        [0, 0],
        [1, 0],
      ]);
      // Among others, and three of them.
      const three = [same, other, same, same];
      const stored = three.map((_, place) => [2 + place, 2]);
      expect(await roundsOf(2, three)).toEqual(stored);
      expect(await roundsOf(2, three)).toEqual(stored.map(([round]) => [round, 0]));
      // A single one is still a retry.
      expect(await roundsOf(2, [other])).toEqual([[3, 0]]);
    });

    it('takes equal parts of a group in one call as one part', async () => {
      const scene = await openScene(setup, { k: 4 });
      const part = buildArrival('p', buildRollouts(['4', '5']));
      const outcomes = await scene.sendAll('a', [part, part]);
      expect(outcomes).toMatchObject([{ added: 2 }, { added: 0, bucket: { round: 0 } }]);
    });

    it('tells a retry from the next visit by the step when ids and texts are the same', async () => {
      const scene = await openScene(setup);
      const same = buildRollouts(['4', '5']);
      expect((await scene.record('a', 'p', same, { step: 3 })).round).toBe(0);
      expect((await scene.record('a', 'p', same, { step: 3 })).round).toBe(0);
      expect((await scene.record('a', 'p', same, { step: 4 })).round).toBe(1);
      expect((await scene.record('a', 'p', same, { step: 3 })).round).toBe(0);
    });

    it('starts the next visit with a new step, though the last one has room', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { step: 3 });
      const next = await scene.record('a', 'p', buildRollouts(['6', '7'], 's'), { step: 4 });
      expect(next.round).toBe(1);
    });

    it('puts a straggler into the visit of its step after the next one began', async () => {
      const scene = await openScene(setup, { k: 4 });
      await scene.record('a', 'p', buildRollouts(['4', '5', '6']), { step: 3 });
      await scene.record('a', 'p', buildRollouts(['1', '2'], 's'), { step: 4 });
      const straggler = await scene.record('a', 'p', buildRollouts(['7'], 'r', 3), { step: 3 });
      expect(straggler).toMatchObject({ round: 0, decided: ['a'] });
      const onward = await scene.record('a', 'p', buildRollouts(['3'], 's', 2), { step: 4 });
      expect(onward.round).toBe(1);
    });

    it('fills a round with stragglers after its deadline', async () => {
      const scene = await openScene(setup, { k: 4, barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5', '6']));
      await scene.advance(1_000);
      const straggler = await scene.record('a', 'p', buildRollouts(['7'], 'r', 3));
      expect(straggler).toMatchObject({ round: 0, added: 1, decided: [] });
      expect((await scene.record('a', 'p', buildRollouts(['8'], 's'))).round).toBe(1);
    });

    it('joins the bucket in which others wait for the agent', async () => {
      const scene = await openScene(setup, { barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5'], 'first'));
      await scene.advance(1_000);
      await scene.record('a', 'p', buildRollouts(['4', '5'], 'second'));
      const joined = await scene.record('b', 'p', buildRollouts(['6', '7']));
      expect(joined.round).toBe(1);
    });

    it('passes over rounds that nobody waits in any more', async () => {
      const scene = await openScene(setup, { barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5'], 'first'));
      await scene.record('b', 'p', buildRollouts(['4', '5'], 'first'));
      await scene.record('a', 'p', buildRollouts(['4', '5'], 'second'));
      await scene.advance(1_000);
      await scene.record('a', 'p', buildRollouts(['4', '5'], 'third'));
      expect((await scene.record('b', 'p', buildRollouts(['6', '7'], 'second'))).round).toBe(2);
    });

    it('gives an agent that missed the deadline of its first visit the bucket of the others, late', async () => {
      const scene = await openScene(setup, { barrier: { deadlineMs: 1_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.advance(1_000);
      const late = await scene.record('b', 'p', buildRollouts(['6', '7']));
      expect(late.round).toBe(0);
      const { state, cause, rollouts } = await scene.group('b', 'p');
      expect([state, cause]).toEqual(['empty', 'deadline']);
      expect(rollouts.map((rollout) => rollout.late)).toEqual([true, true]);
    });

    it('keeps explicit rounds as they are sent, in any order', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 7 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 3 });
      const rounds = (await scene.store.readPrompt(scene.cohort.name, 'p')).map(({ round }) => round);
      expect(rounds).toEqual([3, 7]);
      expect((await scene.record('a', 'p', buildRollouts(['6', '7'], 's'))).round).toBe(8);
    });
  });
}
