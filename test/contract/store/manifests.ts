import { describe, expect, it } from 'vitest';
import { openScene, type StoreSetup } from './scene.ts';

const FIRST = {
  version: 'v1',
  entries: [
    { promptId: 'p', texts: ['2+2?', 'two and two?'], groundTruth: '4', split: 'train' as const },
    { promptId: 'q', texts: ['3+3?'], groundTruth: null, split: null },
  ],
};
const SECOND = { version: 'v2', entries: FIRST.entries.slice(1) };

export function describeManifests(setup: StoreSetup): void {
  describe('manifests', () => {
    it('are kept as they were put, for one cohort', async () => {
      const { store, cohort } = await openScene(setup);
      expect(await store.getManifest(cohort.name, null)).toBeNull();
      await store.putManifest(cohort.name, FIRST);
      expect(await store.getManifest(cohort.name, null)).toEqual(FIRST);
      const other = await openScene(setup);
      expect(await other.store.getManifest(`${cohort.name}-other`, null)).toBeNull();
    });

    it('are not read again by who knows their version', async () => {
      const { store, cohort } = await openScene(setup);
      await store.putManifest(cohort.name, FIRST);
      expect(await store.getManifest(cohort.name, 'v1')).toBe('unchanged');
      await store.putManifest(cohort.name, SECOND);
      expect(await store.getManifest(cohort.name, 'v1')).toEqual(SECOND);
    });

    it('are forgotten when told so, also by who knows their version', async () => {
      const { store, cohort } = await openScene(setup);
      await store.putManifest(cohort.name, FIRST);
      await store.putManifest(cohort.name, null);
      expect(await store.getManifest(cohort.name, 'v1')).toBeNull();
    });

    it('go with their cohort, and are not kept for one that does not exist', async () => {
      const { store, cohort } = await openScene(setup);
      await store.putManifest(cohort.name, FIRST);
      await store.deleteCohort(cohort.name);
      await store.putManifest(cohort.name, SECOND);
      await store.putCohort(cohort);
      expect(await store.getManifest(cohort.name, null)).toBeNull();
    });

    it('outlive a change of the cohort and every retention', async () => {
      const scene = await openScene(setup, { retentionMs: 10_000, promptRetentionMs: 10_000 });
      const { store, cohort } = scene;
      await store.putManifest(cohort.name, FIRST);
      await store.putCohort({ ...cohort, unlabeledReward: null });
      await scene.advance(100_000);
      expect(await store.getManifest(cohort.name, null)).toEqual(FIRST);
    });
  });
}
