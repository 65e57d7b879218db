import { describe, expect, it } from 'vitest';
import { type PlanRecord, toPlan } from '../../../src/domain/plan.ts';
import { buildRollouts } from '../../support/builders.ts';
import { openScene, type StoreSetup } from './scene.ts';

const FIRST: PlanRecord = {
  version: 1,
  rows: 50,
  reliability: { a: 0.9, b: 0.75, constructor: 0.5 },
  teachers: null,
  frozen: false,
  choices: [],
  changes: [],
};
const FIGURES = { reliability: 0.8, agreement: 0.25, score: 0.6 };
const SECOND: PlanRecord = {
  version: 2,
  rows: 100,
  reliability: { a: 0.8, b: 0.8, constructor: 0.25 },
  parts: { a: 1, b: 0.5, constructor: 0.5 },
  anchors: { a: { right: 3.25, seen: 8.5 }, constructor: { right: 0, seen: 1 } },
  teachers: { a: 'b', constructor: 'a' },
  frozen: true,
  choices: [
    {
      agent: 'a',
      teacher: 'b',
      since: 2,
      why: 'best',
      figures: FIGURES,
      rival: { teacher: 'constructor', figures: { ...FIGURES, score: 0.1 } },
    },
    { agent: 'constructor', teacher: 'a', since: null, why: 'few-prompts', figures: null, rival: null },
  ],
  changes: [
    {
      version: 2,
      at: 1_700_000_000_000,
      agent: 'a',
      from: 'constructor',
      to: 'b',
      why: 'best',
      fromFigures: null,
      toFigures: FIGURES,
    },
  ],
};

const rowOf = (promptId: string, round = 0) => ({ promptId, round, sides: { a: 0, b: 0, constructor: 1 } });

export function describePlans(setup: StoreSetup): void {
  describe('plans', () => {
    it('replace the version that they were made after, and no other', async () => {
      const { store, cohort } = await openScene(setup);
      const { plans } = store;
      expect(await plans.read(cohort.name)).toBeNull();
      expect(await plans.swap(cohort.name, 1, SECOND)).toBe(false);
      expect(await plans.swap(cohort.name, 0, FIRST)).toBe(true);
      expect(await plans.swap(cohort.name, 0, { ...FIRST, rows: 51 })).toBe(false);
      expect(await plans.read(cohort.name)).toEqual(FIRST);
      expect(await plans.swap(cohort.name, 1, SECOND)).toBe(true);
      expect(await plans.read(cohort.name)).toEqual(SECOND);
    });

    it('are made once, whoever tries at the same time', async () => {
      const { store, cohort } = await openScene(setup);
      const tries = [1, 2, 3, 4].map((rows) => store.plans.swap(cohort.name, 0, { ...FIRST, rows }));
      const done = await Promise.all(tries);
      expect(done.filter(Boolean)).toHaveLength(1);
      expect((await store.plans.read(cohort.name))?.rows).toBe(done.indexOf(true) + 1);
    });

    it('are made from the latest rows, each noted once, with a count of all', async () => {
      const { store, cohort } = await openScene(setup);
      const { plans } = store;
      expect(await plans.note(cohort.name, rowOf('p'), 3)).toBe(1);
      expect(await plans.note(cohort.name, rowOf('p'), 3)).toBe(1);
      expect(await plans.note(cohort.name, rowOf('p', 1), 3)).toBe(2);
      for (const promptId of ['q', 'r', '\ud83d']) await plans.note(cohort.name, rowOf(promptId), 3);
      expect(await plans.note(cohort.name, rowOf('q'), 3)).toBe(5);
      expect(await plans.rows(cohort.name)).toEqual([rowOf('q'), rowOf('r'), rowOf('\ud83d')]);
    });

    it('know of a row whose labels are right, where that may be known', async () => {
      const { store, cohort } = await openScene(setup);
      const rows = [{ ...rowOf('p'), right: ['a', 'b'] }, { ...rowOf('q'), right: [] }, rowOf('r')];
      for (const row of rows) await store.plans.note(cohort.name, row, 9);
      expect(await store.plans.rows(cohort.name)).toEqual(rows);
    });

    it('go with their cohort, and there are none for one that does not exist', async () => {
      const { store, cohort } = await openScene(setup);
      const { plans } = store;
      await plans.note(cohort.name, rowOf('p'), 9);
      await plans.swap(cohort.name, 0, FIRST);
      await store.deleteCohort(cohort.name);
      expect(await plans.note(cohort.name, rowOf('q'), 9)).toBe(0);
      expect(await plans.swap(cohort.name, 0, FIRST)).toBe(false);
      await store.putCohort(cohort);
      expect(await plans.read(cohort.name)).toBeNull();
      expect(await plans.rows(cohort.name)).toEqual([]);
      expect(await plans.note(cohort.name, rowOf('p'), 9)).toBe(1);
    });

    it('stay with the bucket that begins under them, whatever the later ones are', async () => {
      const scene = await openScene(setup);
      await scene.record('a', 'p', buildRollouts(['1', '1']), { plan: toPlan(FIRST) });
      await scene.record('b', 'p', buildRollouts(['1', '1']), { plan: toPlan(SECOND) });
      expect((await scene.bucket('p'))?.plan).toEqual(toPlan(FIRST));
      await scene.record('a', 'q', buildRollouts(['1', '1']));
      await scene.record('b', 'q', buildRollouts(['1', '1']), { plan: toPlan(SECOND) });
      expect((await scene.bucket('q'))?.plan).toBeNull();
    });

    it('are those of the first rollout where the bucket was only skipped in before', async () => {
      const scene = await openScene(setup);
      await scene.skip('a', 'p');
      await scene.record('b', 'p', buildRollouts(['1', '1']), { plan: toPlan(SECOND) });
      expect((await scene.bucket('p'))?.plan).toEqual(toPlan(SECOND));
    });
  });
}
