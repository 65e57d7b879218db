import { drawResample, type Interval, percentileInterval, resampledMean, sizeNeeded } from './bootstrap.ts';
import type { Random } from './random.ts';

export interface Compared {
  readonly value: number;
  /** Over prompts. */
  readonly interval: Interval;
  /** Share of the resamples in which none was better; shared by those that are alike. */
  readonly bestIn: number;
}

/** The best against the next that differs from it. */
export interface Comparison {
  readonly all: readonly Compared[];
  /** Places of all, best first. */
  readonly ranking: readonly number[];
  /** Those that are as good as the best in every resample, it among them. */
  readonly alike: readonly number[];
  /** Null where no other differs from the best. */
  readonly runnerUp: {
    readonly at: number;
    readonly difference: number;
    readonly interval: Interval;
    /** The interval is above 0. */
    readonly clear: boolean;
    /** Prompts that would tell them apart; null where they are as good in the mean. */
    readonly promptsNeeded: number | null;
  } | null;
}

/** Means over prompts in the same resamples for all, so that differences are paired. `values[cohort][prompt]`. */
export function resampleMeans(
  values: readonly Float64Array[],
  resamples: number,
  random: Random,
): readonly Float64Array[] {
  const drawn = values.map(() => new Float64Array(resamples));
  for (let resample = 0; resample < resamples; resample++) {
    const counts = drawResample(values[0]?.length ?? 0, random);
    for (const [cohort, own] of values.entries()) {
      const column = drawn[cohort];
      if (column !== undefined) column[resample] = resampledMean(own, counts);
    }
  }
  return drawn;
}

/**
 * Ranks cohorts by `values`, with intervals from what they were in resamples of `prompts` prompts: `drawn[cohort]`. Of
 * equal ones the first given is the best.
 */
export function compareCohorts(
  values: readonly number[],
  drawn: readonly Float64Array[],
  prompts: number,
): Comparison {
  const bestIn = shareOfBest(drawn);
  const meanOf = (at: number) => values[at] ?? 0;
  const ranking = values.map((_, at) => at).sort((a, b) => meanOf(b) - meanOf(a) || a - b);
  const [first = 0] = ranking;
  const best = drawn[first] ?? new Float64Array(0);
  const isAlike = (at: number) =>
    meanOf(at) === meanOf(first) &&
    (drawn[at]?.every((value, resample) => value === best[resample]) ?? false);
  const alike = ranking.filter(isAlike);
  const next = ranking.find((at) => !alike.includes(at));
  const all = values.map((value, at) => ({
    value,
    interval: percentileInterval(drawn[at] ?? new Float64Array(0)),
    bestIn: bestIn[at] ?? 0,
  }));
  if (next === undefined) return { all, ranking, alike, runnerUp: null };
  const difference = meanOf(first) - meanOf(next);
  const differences = best.map((value, resample) => value - (drawn[next]?.[resample] ?? 0));
  const interval = percentileInterval(differences);
  return {
    all,
    ranking,
    alike,
    runnerUp: {
      at: next,
      difference,
      interval,
      clear: interval.low > 0,
      // The spread over resamples is that of one prompt over the root of their number.
      promptsNeeded: sizeNeeded(difference, stdOf(differences) * Math.sqrt(prompts)),
    },
  };
}

function shareOfBest(drawn: readonly Float64Array[]): readonly number[] {
  const shares = drawn.map(() => 0);
  const resamples = drawn[0]?.length ?? 0;
  for (let resample = 0; resample < resamples; resample++) {
    let best = Number.NEGATIVE_INFINITY;
    let leaders: number[] = [];
    for (const [cohort, column] of drawn.entries()) {
      const value = column[resample] ?? 0;
      if (value > best) [best, leaders] = [value, [cohort]];
      else if (value === best) leaders.push(cohort);
    }
    for (const leader of leaders) shares[leader] = (shares[leader] ?? 0) + 1 / leaders.length;
  }
  return shares.map((share) => share / resamples);
}

function stdOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1));
}
