import { describe, expect, it } from 'vitest';
import { imputePasses, meanPasses } from '../../../../src/cli/pair/impute.ts';

const answered = (...counts: readonly (readonly [string, number])[]) => ({
  rollouts: counts.reduce((sum, [, count]) => sum + count, 0),
  byKey: new Map(counts),
});

/** Two reliable candidates that agree, and a third that is always alone. */
const prompts = Array.from({ length: 50 }, (_, at) => [
  answered(['yes', 8]),
  answered(['yes', 6], ['no', 2]),
  answered([`own ${at}`, 8]),
]);

describe('imputed truths', () => {
  it('give each candidate what its rollouts are worth under each answer that may be right', () => {
    const [worlds = []] = imputePasses(prompts, { classes: 10, shared: 0 });
    const [likely] = [...worlds].sort((a, b) => b.weight - a.weight);
    expect(likely?.weight).toBeGreaterThan(0.95);
    expect(likely?.passes).toEqual([
      { rollouts: 8, right: 8 },
      { rollouts: 8, right: 6 },
      { rollouts: 8, right: 0 },
    ]);
  });

  it('have probabilities that sum to one, whatever the answers and however few there may be', () => {
    for (const classes of [2, 4, 10]) {
      for (const shared of [0, 0.05, 0.5, 1]) {
        for (const worlds of imputePasses(prompts, { classes, shared })) {
          const total = worlds.reduce((sum, { weight }) => sum + weight, 0);
          expect(total).toBeGreaterThan(0.97);
          expect(total).toBeLessThan(1 + 1e-9);
        }
      }
    }
  });

  it('are less sure of what all agree on, by the share of prompts on which they may all be wrong', () => {
    const unanimous = Array.from({ length: 40 }, () => [1, 2, 3].map(() => answered(['yes', 4])));
    const meanWith = (shared: number) =>
      meanPasses(imputePasses(unanimous, { classes: 10, shared }), 3)[0] ?? 0;
    expect(meanWith(0)).toBeGreaterThan(0.99);
    expect(meanWith(0.05)).toBeCloseTo(0.955, 2);
    expect(meanWith(1)).toBeCloseTo(0.1, 6);
  });

  it('count the rounds of a prompt as one witness: more of them make nobody surer', () => {
    const once = imputePasses(prompts, { classes: 10, shared: 0.05 });
    const twice = imputePasses(
      prompts.map((row) =>
        row.map(({ rollouts, byKey }) => ({
          rollouts: 2 * rollouts,
          byKey: new Map([...byKey].map(([key, count]) => [key, 2 * count])),
        })),
      ),
      { classes: 10, shared: 0.05 },
    );
    expect(twice.map((worlds) => worlds.map(({ weight }) => weight))).toEqual(
      once.map((worlds) => worlds.map(({ weight }) => weight)),
    );
  });
});
