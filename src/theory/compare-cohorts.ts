import { drawResample, type Interval, percentileInterval, sizeNeeded } from './bootstrap.ts';
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

/** One way that a prompt may be, where its truth is not known. */
export interface World {
  /** Its probability. */
  readonly weight: number;
}

/** Means over prompts: `values[place]` is that of one world, and the worlds of a prompt follow each other. */
export function meanOfWorlds(values: Float64Array, prompts: readonly (readonly World[])[]): number {
  let [sum, place] = [0, 0];
  for (const worlds of prompts) {
    const total = worlds.reduce((all, { weight }) => all + weight, 0);
    for (const { weight } of worlds) sum += (weight / total) * (values[place++] ?? 0);
  }
  return prompts.length === 0 ? 0 : sum / prompts.length;
}

/**
 * Means over prompts in the same resamples for all, so that differences are paired. `values[cohort][place]` as in
 * {@link meanOfWorlds}. Of a prompt that may be several ways one is drawn for each time that a resample has it, the same for
 * all cohorts: an interval then holds that its truth is not known (Rubin's multiple imputation).
 */
export function resampleMeans(
  values: readonly Float64Array[],
  prompts: readonly (readonly World[])[],
  resamples: number,
  random: Random,
): readonly Float64Array[] {
  const drawn = values.map(() => new Float64Array(resamples));
  const counts = new Uint16Array(values[0]?.length ?? 0);
  for (let resample = 0; resample < resamples; resample++) {
    countWorlds(counts, prompts, random);
    for (const [cohort, own] of values.entries()) {
      const column = drawn[cohort];
      if (column === undefined) continue;
      let sum = 0;
      for (let place = 0; place < own.length; place++) sum += (own[place] ?? 0) * (counts[place] ?? 0);
      column[resample] = sum / prompts.length;
    }
  }
  return drawn;
}

/** How often each world is in one resample of the prompts. */
function countWorlds(counts: Uint16Array, prompts: readonly (readonly World[])[], random: Random): void {
  const times = drawResample(prompts.length, random);
  counts.fill(0);
  let first = 0;
  for (const [prompt, worlds] of prompts.entries()) {
    const count = times[prompt] ?? 0;
    if (worlds.length === 1) counts[first] = count;
    else
      for (let copy = 0; copy < count; copy++) {
        const place = first + drawWorld(worlds, random);
        counts[place] = (counts[place] ?? 0) + 1;
      }
    first += worlds.length;
  }
}

function drawWorld(worlds: readonly World[], random: Random): number {
  let rest = random() * worlds.reduce((sum, { weight }) => sum + weight, 0);
  for (const [at, { weight }] of worlds.entries()) {
    rest -= weight;
    if (rest < 0) return at;
  }
  return worlds.length - 1;
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
