import { describe, expect, it } from 'vitest';
import { type Sample, samplesPerAgent } from '../../../src/domain/sample.ts';
import { openScene, type StoreSetup } from './scene.ts';

export function buildSample(agent: string, promptId: string, overrides: Partial<Sample> = {}): Sample {
  return {
    promptId,
    round: 0,
    agent,
    rolloutId: 'r0',
    incarnation: null,
    answer: '4',
    key: '4',
    text: 'so \\boxed{4}',
    cut: null,
    span: { start: 10, end: 11 },
    note: null,
    ...overrides,
  };
}

export function describeSamples(setup: StoreSetup): void {
  describe('completions for people', () => {
    it('are kept as they were, agent by agent, the latest last', async () => {
      const { store, cohort } = await openScene(setup);
      expect(await store.samples.read(cohort.name)).toEqual([]);
      const hostile = buildSample('b', 'p\u0000\u202e', {
        text: '</script>\n\u{1f600}',
        span: null,
        note: 'n',
      });
      await store.samples.add(cohort.name, [hostile, buildSample('a', 'p1'), buildSample('a', 'p2')]);
      await store.samples.add(cohort.name, [buildSample('a', 'p3')]);
      expect(await store.samples.read(cohort.name)).toEqual([
        ...['p1', 'p2', 'p3'].map((id) => buildSample('a', id)),
        hostile,
      ]);
    });

    it('are bounded for each agent, however many come at once', async () => {
      const { store, cohort } = await openScene(setup);
      const most = samplesPerAgent(cohort.agents.length);
      const many = Array.from({ length: most + 50 }, (_, at) => buildSample('a', `p${at}`));
      await store.samples.add(cohort.name, [buildSample('b', 'q'), ...many]);
      await store.samples.add(cohort.name, [buildSample('a', 'last')]);
      const kept = await store.samples.read(cohort.name);
      expect(kept.filter(({ agent }) => agent === 'b')).toHaveLength(1);
      const own = kept.filter(({ agent }) => agent === 'a').map(({ promptId }) => promptId);
      expect([own.length, own[0], own.at(-1)]).toEqual([most, 'p51', 'last']);
    });

    it('go with their cohort, and are not kept for an agent or a cohort that is not there', async () => {
      const { store, cohort } = await openScene(setup);
      await store.samples.add(cohort.name, [buildSample('a', 'p'), buildSample('nobody', 'p')]);
      expect(await store.samples.read(cohort.name)).toHaveLength(1);
      await store.deleteCohort(cohort.name);
      await store.samples.add(cohort.name, [buildSample('a', 'p')]);
      await store.putCohort(cohort);
      expect(await store.samples.read(cohort.name)).toEqual([]);
    });
  });
}
