import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import { sizeNeeded } from '../../../src/theory/bootstrap.ts';
import { compareCohorts, meanOfWorlds, resampleMeans } from '../../../src/theory/compare-cohorts.ts';

function compare(rows: readonly (readonly number[])[], seed = 1) {
  const values = rows.map((row) => Float64Array.from(row));
  const means = rows.map((row) => row.reduce((sum, value) => sum + value, 0) / row.length);
  const prompts = (rows[0] ?? []).map(() => [{ weight: 1 }]);
  return compareCohorts(means, resampleMeans(values, prompts, 400, seeded(seed)), prompts.length);
}

const pattern = (length: number, isOne: (at: number) => boolean) =>
  Array.from({ length }, (_, at) => (isOne(at) ? 1 : 0));

describe('comparing cohorts over prompts', () => {
  it('tells two apart whose difference is the same on many prompts', () => {
    const { ranking, runnerUp, all } = compare([
      pattern(200, (at) => at % 2 === 0),
      pattern(200, (at) => at % 2 === 0 || at % 10 === 1),
    ]);
    expect(ranking).toEqual([1, 0]);
    expect(runnerUp).toMatchObject({ at: 0, clear: true, difference: expect.closeTo(0.1, 9) });
    expect(all[1]?.bestIn).toBe(1);
    const { low, high } = all[1]?.interval ?? { low: 0, high: 0 };
    // 0.6 ± 1.96 · √(.24/200)
    expect([low, high]).toEqual([expect.closeTo(0.532, 1), expect.closeTo(0.668, 1)]);
  });

  it('does not tell them apart from few prompts, and says how many more it would take', () => {
    const { runnerUp } = compare([pattern(20, (at) => at < 11), pattern(20, (at) => at >= 10)]);
    expect(runnerUp?.clear).toBe(false);
    // One prompt in favour of the first, on 19 that differ: σ is near 1 and the mean 0.05.
    expect(runnerUp?.promptsNeeded).toBeGreaterThan(2_000);
    expect(runnerUp?.promptsNeeded).toBeLessThan(4_000);
  });

  it('needs (2.8 σ/δ)² prompts, and no number of them for a difference of nothing', () => {
    expect(sizeNeeded(0.1, 0.5)).toBe(196);
    expect(sizeNeeded(0, 0.5)).toBeNull();
  });

  it('prefers the first of those that are alike on every prompt, and compares with the next that is not', () => {
    const best = pattern(40, (at) => at < 30);
    const { ranking, alike, runnerUp, all } = compare([pattern(40, (at) => at < 5), best, best]);
    expect(ranking).toEqual([1, 2, 0]);
    expect(alike).toEqual([1, 2]);
    expect(runnerUp?.at).toBe(0);
    expect([all[1]?.bestIn, all[2]?.bestIn]).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.5, 9)]);
  });

  it('has nothing to compare where all are alike', () => {
    expect(
      compare([
        [1, 0],
        [1, 0],
      ]).runnerUp,
    ).toBeNull();
  });

  it('repeats with its seed', () => {
    const rows = [pattern(30, (at) => at % 3 === 0), pattern(30, (at) => at % 4 === 0)];
    expect(compare(rows, 7)).toEqual(compare(rows, 7));
    expect(compare(rows, 7)).not.toEqual(compare(rows, 8));
  });
});

describe('prompts that may be several ways', () => {
  /** Each prompt is 1 with a chance of .8, else 0. */
  const prompts = Array.from({ length: 100 }, () => [{ weight: 0.4 }, { weight: 0.1 }]);
  const values = Float64Array.from({ length: 200 }, (_, place) => (place % 2 === 0 ? 1 : 0));

  it('count by their probabilities in the mean', () => {
    expect(meanOfWorlds(values, prompts)).toBeCloseTo(0.8, 12);
    expect(meanOfWorlds(Float64Array.of(3), [[{ weight: 0.2 }]])).toBe(3);
  });

  it('widen an interval by what is not known of them, alike for all cohorts', () => {
    const drawn = resampleMeans([values, values], prompts, 2_000, seeded(3));
    expect(drawn[0]).toEqual(drawn[1]);
    const { interval } = compareCohorts([0.8], drawn.slice(0, 1), 100).all[0] ?? expect.unreachable();
    // 0.8 ± 1.96 · √(.8 · .2 / 100), though all prompts are alike.
    expect([interval.low, interval.high]).toEqual([expect.closeTo(0.722, 1), expect.closeTo(0.878, 1)]);
  });
});
