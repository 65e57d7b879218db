import { describe, expect, it } from 'vitest';
import { buildAnonymous, buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

const RETENTION = { retentionMs: 10_000, promptRetentionMs: 50_000, barrier: { deadlineMs: 1_000 } };

export function describeRetention(setup: StoreSetup): void {
  describe('retention', () => {
    it('keeps a decided bucket readable for the retention, then drops it', async () => {
      const scene = await openScene(setup, RETENTION);
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.record('b', 'p', buildRollouts(['4', '5']));
      const before = await scene.bucket('p');
      await scene.advance(9_999);
      expect(await scene.bucket('p')).toEqual(before);
      expect(await scene.store.readPrompt(scene.cohort.name, 'p')).toEqual([before]);
      await scene.advance(2);
      expect(await scene.bucket('p')).toBeNull();
      expect(await scene.store.readPrompt(scene.cohort.name, 'p')).toEqual([]);
    });

    it('counts the retention from the decision, not from the first rollout', async () => {
      const scene = await openScene(setup, { ...RETENTION, barrier: { deadlineMs: 30_000 } });
      await scene.record('a', 'p', buildRollouts(['4', '5']));
      await scene.advance(30_000);
      await scene.advance(9_999);
      expect((await scene.group('b', 'p')).cause).toBe('deadline');
      await scene.advance(2);
      expect(await scene.bucket('p')).toBeNull();
    });

    it('keeps a bucket longer for those who still use it', async () => {
      const scene = await openScene(setup, RETENTION);
      const retry = () => scene.record('a', 'p', buildRollouts(['4', '5']), { round: 0 });
      await retry();
      await scene.skip('b', 'p');
      await scene.advance(6_000);
      await retry();
      await scene.advance(6_000);
      expect(await scene.bucket('p')).not.toBeNull();
      await scene.advance(4_001);
      expect(await scene.bucket('p')).toBeNull();
    });

    it('keeps a bucket that a restart opened again for the whole of its new time', async () => {
      const scene = await openScene(setup, { ...RETENTION, barrier: { deadlineMs: 30_000 } });
      await scene.skip('b', 'p', { round: 0 });
      await scene.record('a', 'p', buildRollouts(['4', '5']), { round: 0, incarnation: 'i-1' });
      await scene.advance(9_000);
      await scene.record('a', 'p', buildRollouts(['4']), { round: 0, incarnation: 'i-2' });
      await scene.advance(20_000);
      expect((await scene.group('a', 'p')).state).toBe('open');
      await scene.advance(10_000);
      expect((await scene.group('a', 'p')).cause).toBe('deadline');
      await scene.advance(9_999);
      expect(await scene.bucket('p')).not.toBeNull();
      await scene.advance(10_001);
      expect(await scene.bucket('p')).toBeNull();
    });

    it('remembers the visits of a prompt after its buckets, for the prompt’s own retention', async () => {
      const scene = await openScene(setup, RETENTION);
      const visit = async (name: string) => {
        const { round } = await scene.record('a', 'p', buildRollouts(['4', '5'], name));
        await scene.skip('b', 'p', { round });
        return round;
      };
      expect(await visit('first')).toBe(0);
      await scene.advance(40_000);
      expect(await scene.bucket('p')).toBeNull();
      expect(await visit('second')).toBe(1);
      await scene.advance(40_000);
      expect(await visit('third')).toBe(2);
      await scene.advance(50_001);
      expect(await visit('fourth')).toBe(0);
    });

    it('drops one round of a prompt and keeps the others', async () => {
      const scene = await openScene(setup, RETENTION);
      for (const [round, wait] of [
        [0, 6_000],
        [1, 6_000],
      ] as const) {
        await scene.record('a', 'p', buildRollouts(['4', '5']), { round });
        await scene.record('b', 'p', buildRollouts(['4', '5']), { round });
        await scene.advance(wait);
      }
      const kept = await scene.store.readPrompt(scene.cohort.name, 'p');
      expect(kept.map(({ round }) => round)).toEqual([1]);
    });

    it('lets a close of a connection come after its bucket is gone', async () => {
      const scene = await openScene(setup, RETENTION);
      await scene.record('a', 'p', [buildAnonymous('x'), buildAnonymous('y')], { holder: 'h1' });
      await scene.skip('b', 'p');
      await scene.advance(10_001);
      await scene.release('a', 'h1', { promptId: 'p', round: 0 });
      expect(await scene.bucket('p')).toBeNull();
    });
  });
}
