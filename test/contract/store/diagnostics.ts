import { describe, expect, it } from 'vitest';
import {
  type AgentCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  toSummand,
} from '../../../src/domain/diagnostics/counters.ts';
import type { Increment, StepIncrement } from '../../../src/domain/diagnostics/tally.ts';
import type { StepDiagnostics } from '../../../src/store/store.ts';
import { openScene, type StoreSetup } from './scene.ts';

const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, most: 10_000 };

function agentAt(step: number | null, agent: string, counts: Partial<AgentCounts>): StepIncrement {
  return { kind: 'agent', step, agent, counts: { ...NO_AGENT_COUNTS, ...counts } };
}

function pairAt(step: number | null, same: number): StepIncrement {
  const counts = { ...NO_PAIR_COUNTS, compared: 1, bothLabeled: 1, firstLabeled: 1, same };
  return { kind: 'pair', step, first: 'a', second: 'b', counts };
}

/** Each step with what it holds of each agent and pair. */
const heldBy = (steps: readonly StepDiagnostics[]): readonly [number, readonly Increment[]][] =>
  steps.map(({ step, tally }) => [step, tally.increments]);

export function describeDiagnostics(setup: StoreSetup): void {
  describe('diagnostics', () => {
    it('add up by step, agent and pair, and keep extremes', async () => {
      const { store, cohort } = await openScene(setup);
      await store.addDiagnostics(cohort.name, [
        agentAt(7, 'a', { groups: 1, lengths: 1, lengthMin: 30, lengthMax: 30 }),
        agentAt(7, 'b', { groups: 2 }),
        pairAt(7, 1),
      ]);
      await store.addDiagnostics(cohort.name, [
        agentAt(7, 'a', { groups: 2, lengths: 2, lengthMin: 10, lengthMax: 50 }),
        pairAt(7, 0),
        agentAt(3, 'a', { groups: 1 }),
      ]);
      const { steps, earlier, first } = await store.readDiagnostics(cohort.name, ALL);
      expect([steps.map(({ step }) => step), earlier, first?.step]).toEqual([[3, 7], 0, 3]);
      const { tally } = steps[1] as StepDiagnostics;
      expect(tally.agent('a')).toEqual({
        ...NO_AGENT_COUNTS,
        groups: 3,
        lengths: 3,
        lengthMin: 10,
        lengthMax: 50,
      });
      expect(tally.agent('b')).toEqual({ ...NO_AGENT_COUNTS, groups: 2 });
      expect(tally.pair('a', 'b')).toMatchObject({ compared: 2, same: 1 });
      expect(tally.pair('b', 'a')).toMatchObject({ firstLabeled: 0, secondLabeled: 2 });
    });

    it('give the same sums to the last bit, whatever the order of what is added', async () => {
      const { store, cohort } = await openScene(setup);
      const sums = [0.1, 1 / 3, -2.7, 41.3, 1e-9, 8000 / 7].map(toSummand);
      for (const rewardSum of sums) {
        await store.addDiagnostics(cohort.name, [agentAt(0, 'a', { rewardSum })]);
      }
      for (const rewardSum of [...sums].reverse()) {
        await store.addDiagnostics(cohort.name, [agentAt(1, 'a', { rewardSum })]);
      }
      const { steps } = await store.readDiagnostics(cohort.name, ALL);
      const exact = sums.reduce((a, b) => a + b, 0);
      expect(steps.map(({ tally }) => tally.agent('a')?.rewardSum)).toEqual([exact, exact]);
    });

    it('lose nothing that is added at the same moment', async () => {
      const { store, cohort } = await openScene(setup);
      const additions = Array.from({ length: 50 }, () =>
        store.addDiagnostics(cohort.name, [agentAt(0, 'a', { groups: 1 }), pairAt(0, 1)]),
      );
      await Promise.all(additions);
      const { steps } = await store.readDiagnostics(cohort.name, ALL);
      expect(steps.map(({ tally }) => tally.agent('a')?.groups)).toEqual([50]);
      expect(steps.map(({ tally }) => tally.pair('a', 'b')?.same)).toEqual([50]);
    });

    it('make a step of every 100 groups of an agent and prompts of a pair where none is sent', async () => {
      const { store, cohort } = await openScene(setup);
      for (const groups of [60, 60, 1, 79, 1]) {
        await store.addDiagnostics(cohort.name, [agentAt(null, 'a', { groups }), pairAt(null, 1)]);
      }
      const { steps } = await store.readDiagnostics(cohort.name, ALL);
      expect(steps.map(({ step, tally }) => [step, tally.agent('a')?.groups])).toEqual([
        [0, 120],
        [100, 80],
        [200, 1],
      ]);
      expect(steps[0]?.tally.pair('a', 'b')?.compared).toBe(5);
    });

    it('are read by their range, the highest steps where not all are wanted', async () => {
      const { store, cohort } = await openScene(setup);
      const increments = [1, 2, 3, 5, 8, 13].map((step) => agentAt(step, 'a', { groups: step }));
      await store.addDiagnostics(cohort.name, increments);
      const read = async (from: number, to: number, most: number) => {
        const { steps, earlier, first } = await store.readDiagnostics(cohort.name, { from, to, most });
        return [steps.map(({ step }) => step), earlier, first?.step];
      };
      expect(await read(2, 8, 10)).toEqual([[2, 3, 5, 8], 0, 1]);
      expect(await read(2, 8, 3)).toEqual([[3, 5, 8], 1, 1]);
      expect(await read(14, 20, 3)).toEqual([[], 0, 1]);
    });

    it('keep the highest steps, no more than a bound that falls with the number of pairs', async () => {
      const agents = Array.from({ length: 64 }, (_, at) => `a${at}`);
      const { store, cohort } = await openScene(setup, { agents });
      const increments = Array.from({ length: 130 }, (_, step) => agentAt(step, 'a0', { groups: 1 }));
      await store.addDiagnostics(cohort.name, [...increments, agentAt(2, 'a1', { groups: 1 })]);
      const { steps, first } = await store.readDiagnostics(cohort.name, ALL);
      expect([steps.length, first?.step, steps.at(-1)?.step]).toEqual([100, 30, 129]);
    });

    it('are a copy that does not change any more', async () => {
      const { store, cohort } = await openScene(setup);
      await store.addDiagnostics(cohort.name, [agentAt(1, 'a', { groups: 1 })]);
      const { steps } = await store.readDiagnostics(cohort.name, ALL);
      const before = heldBy(steps);
      await store.addDiagnostics(cohort.name, [agentAt(1, 'a', { groups: 1 })]);
      expect(heldBy(steps)).toEqual(before);
    });

    it('go with their cohort, and are not kept for one that does not exist', async () => {
      const { store, cohort } = await openScene(setup);
      await store.addDiagnostics(cohort.name, [
        agentAt(1, 'a', { groups: 1 }),
        agentAt(null, 'a', { groups: 150 }),
      ]);
      await store.deleteCohort(cohort.name);
      await store.addDiagnostics(cohort.name, [agentAt(2, 'a', { groups: 1 })]);
      expect(await store.readDiagnostics(cohort.name, ALL)).toEqual({ steps: [], earlier: 0, first: null });
      await store.putCohort(cohort);
      expect((await store.readDiagnostics(cohort.name, ALL)).steps).toEqual([]);
      await store.addDiagnostics(cohort.name, [agentAt(null, 'a', { groups: 1 })]);
      expect((await store.readDiagnostics(cohort.name, ALL)).first?.step).toBe(0);
    });
  });
}
