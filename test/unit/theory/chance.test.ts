import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import type { Course, Teaching } from '../../../src/theory/dynamics.ts';
import { populationLimit } from '../../../src/theory/population.ts';
import { drawBeta } from '../../../src/theory/random.ts';
import { sampleRun } from '../../../src/theory/stochastic.ts';
import { follow } from '../../../src/theory/trajectory.ts';

const pair = (teaching: Teaching, eta = 1): Course => ({
  learners: [
    { k: 8, eta },
    { k: 8, eta },
  ],
  teaching,
  wrong: 1,
});

describe('a population of problems', () => {
  it.each([
    { teaching: 'self', expected: 3 / 4 },
    { teaching: 'predecessor', expected: 5 / 6 },
  ] as const)(
    'with Beta(2, 1) pass rates tends to $expected by $teaching, within four standard errors',
    ({ teaching, expected }) => {
      const { mean, error, undecided } = populationLimit(pair(teaching), { a: 2, b: 1 }, 600, seeded(3));
      expect(undecided).toBe(0);
      expect(error).toBeGreaterThan(0);
      expect(Math.abs(mean - expected)).toBeLessThan(4 * error);
    },
  );

  it('draws Beta(a, b) with its mean', () => {
    const random = seeded(5);
    const draws = Array.from({ length: 20_000 }, () => drawBeta(3, 2, random));
    expect(draws.reduce((a, b) => a + b, 0) / draws.length).toBeCloseTo(3 / 5, 2);
  });
});

describe('a sampled run', () => {
  it('is the same again with the same seed, and another with another', () => {
    const run = (seed: number) => sampleRun(pair('predecessor'), [0.9, 0.2], 20, seeded(seed));
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
  });

  it.each(['self', 'predecessor', 'pooled', 'peer-majority'] as const)(
    'with a small learning rate follows the course of the theory on average, taught by %s',
    (teaching) => {
      const random = seeded(11);
      const runs = 300;
      const ends = Array.from({ length: runs }, () =>
        sampleRun(pair(teaching, 0.02), [0.8, 0.4], 100, random),
      );
      const [theory] = follow(pair(teaching, 0.02), [0.8, 0.4], [100]);
      for (const agent of [0, 1]) {
        const mean = ends.reduce((sum, run) => sum + (run.at(-1)?.p[agent] ?? 0), 0) / runs;
        expect(mean).toBeCloseTo(theory?.p[agent] ?? Number.NaN, 1);
      }
    },
  );

  it('moves by (2Z − 1)√(C(K−C))/K: one step from certainty moves nothing', () => {
    const [, next] = sampleRun(pair('predecessor'), [1, 1], 1, seeded(1));
    expect(next?.p.every((p) => p > 1 - 1e-9)).toBe(true);
  });
});
