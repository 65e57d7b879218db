import { describe, expect, it } from 'vitest';
import { buildRollouts } from '../../support/builders.ts';
import { openScene, type Scene, type StoreSetup } from './scene.ts';

export function describeLastLabel(setup: StoreSetup): void {
  const open = (maxStaleness = 2, retentionMs = 1_800_000) =>
    openScene(setup, { barrier: { mode: 'last-label', maxStaleness }, retentionMs });
  const visit = (scene: Scene, agent: string, round: number, answer = `${agent}${round}`) =>
    scene.record(agent, 'p', buildRollouts([answer, answer]), { round });
  const basisOf = async (scene: Scene, round: number) => {
    const { basis } = await scene.group('a', 'p', round);
    return basis?.map((one) => [one.agent, one.round, one.group?.rollouts[0]?.answer ?? null]);
  };

  describe('barrier last-label', () => {
    it('waits for nobody: only the sender has a group, and no basis while the teacher has no label', async () => {
      const scene = await open();
      const { bucket } = await visit(scene, 'a', 0);
      expect([...bucket.groups.keys()]).toEqual(['a']);
      expect(await basisOf(scene, 0)).toEqual([['b', 0, null]]);
    });

    it('takes the latest label of the teacher as basis', async () => {
      const scene = await open();
      await visit(scene, 'b', 0);
      await visit(scene, 'b', 1);
      await visit(scene, 'a', 2);
      expect(await basisOf(scene, 2)).toEqual([['b', 1, 'b1']]);
    });

    it('fixes the basis with the first rollout of the group, for all of it', async () => {
      const scene = await open();
      await visit(scene, 'b', 0);
      await scene.record('a', 'p', buildRollouts(['4']), { round: 1 });
      await visit(scene, 'b', 1);
      await scene.record('a', 'p', buildRollouts(['5', '6'], 'r', 1), { round: 1 });
      expect(await basisOf(scene, 1)).toEqual([['b', 0, 'b0']]);
    });

    it('takes no label older than the allowed staleness', async () => {
      const scene = await open(1);
      await visit(scene, 'b', 0);
      await visit(scene, 'a', 1);
      await visit(scene, 'a', 2);
      expect(await basisOf(scene, 1)).toEqual([['b', 0, 'b0']]);
      expect(await basisOf(scene, 2)).toEqual([['b', 2, null]]);
    });

    it('takes no label of an undecided group, and none of an empty one', async () => {
      const scene = await open();
      await visit(scene, 'b', 0);
      await scene.record('b', 'p', buildRollouts(['4']), { round: 1 });
      await scene.skip('b', 'p', { round: 2 });
      await visit(scene, 'a', 2);
      expect(await basisOf(scene, 2)).toEqual([['b', 0, 'b0']]);
    });

    it('does not let a late older round replace a newer label', async () => {
      const scene = await open();
      await visit(scene, 'b', 1);
      await visit(scene, 'b', 0);
      await visit(scene, 'a', 2);
      expect(await basisOf(scene, 2)).toEqual([['b', 1, 'b1']]);
    });

    it('keeps labels after the retention of their buckets', async () => {
      const scene = await open(2, 10_000);
      await visit(scene, 'b', 0);
      await scene.advance(20_000);
      expect(await scene.bucket('p')).toBeNull();
      await visit(scene, 'a', 1);
      expect(await basisOf(scene, 1)).toEqual([['b', 0, 'b0']]);
    });

    it('keeps a vote after a restart, since others may have been scored against it', async () => {
      const scene = await open();
      await scene.record('b', 'p', buildRollouts(['4', '4']), { round: 0, incarnation: 'i-1' });
      await scene.record('b', 'p', buildRollouts(['5', '5']), { round: 0, incarnation: 'i-2' });
      await visit(scene, 'a', 1);
      expect(await basisOf(scene, 1)).toEqual([['b', 0, '4']]);
    });
  });
}
