import { CourseTable, type EqualCourse } from './course-table.ts';
import { toLogOdds } from './log-odds.ts';

/** A start within so much log-odds of another end lies on the border; far below what pass rates can be known to. */
const BORDER = 1e-3;
/** The drift is at most about 1 per unit of time and smooth over a unit of log-odds. */
const STEP = 0.8;
const MOST_STEPS = 5_000;
/** Ends that are kept; then they are forgotten and found again. */
const MOST_KEPT = 2_000_000;

/**
 * Where equal agents end, for the many starts of a data set: 1 where all come to be right, 0 where all come to be
 * wrong, 1/2 on the border, where chance decides. Under teaching by peers nothing else attracts (methods of
 * monotone systems: a start above another never ends lower), so one sign is enough. Starts are log-odds.
 */
export class CohortLimit {
  readonly #table: CourseTable;
  readonly #even: number;
  readonly #course: EqualCourse;
  readonly #kept = new Map<string, number>();

  constructor(course: EqualCourse) {
    this.#course = course;
    this.#table = new CourseTable(course);
    this.#even = this.#table.evenPoint();
  }

  /** `start`: each agent's chance of a right answer, strictly between 0 and 1, in the order of the cohort. */
  endOf(start: readonly number[]): number {
    const low = Math.min(...start);
    const high = Math.max(...start);
    if (toLogOdds(low) > this.#even + BORDER) return 1;
    if (toLogOdds(high) < this.#even - BORDER) return 0;
    const alike = this.#represent(start);
    const key = alike.join();
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const l = alike.map(toLogOdds);
    const end = this.#rises(l, -BORDER) ? 1 : this.#rises(l, BORDER) ? 0.5 : 0;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, end);
    return end;
  }

  /** One start for all that end alike: rings turn, and whom everyone teaches has no place. */
  #represent(start: readonly number[]): readonly number[] {
    if (this.#course.teaching === 'peer-majority' || this.#course.teaching === 'pooled') {
      return [...start].sort((a, b) => a - b);
    }
    let best = start;
    for (let turn = 1; turn < start.length; turn++) {
      const turned = [...start.slice(turn), ...start.slice(0, turn)];
      if (compare(turned, best) < 0) best = turned;
    }
    return best;
  }

  /** Runge-Kutta steps of order 4 until all are on one side of the even point, where they stay. */
  #rises(from: readonly number[], nudge: number): boolean {
    const size = from.length;
    let l = Float64Array.from(from, (value) => value + nudge);
    const stages = [0, 1, 2, 3].map(() => new Float64Array(size));
    const at = new Float64Array(size);
    for (let step = 0; step < MOST_STEPS; step++) {
      const side = sideOf(l, this.#even);
      if (side !== 0) return side > 0;
      for (const [stage, speed] of stages.entries()) {
        const share = stage === 0 ? 0 : stage === 3 ? STEP : STEP / 2;
        for (let n = 0; n < size; n++) at[n] = (l[n] ?? 0) + share * (stages[stage - 1]?.[n] ?? 0);
        this.#table.drift(at, speed);
      }
      const [k1, k2, k3, k4] = stages;
      l = l.map(
        (value, n) =>
          value + (STEP / 6) * ((k1?.[n] ?? 0) + 2 * (k2?.[n] ?? 0) + 2 * (k3?.[n] ?? 0) + (k4?.[n] ?? 0)),
      );
    }
    return nudge > 0;
  }
}

function sideOf(l: Float64Array, even: number): -1 | 0 | 1 {
  let above = 0;
  let below = 0;
  for (const value of l) {
    if (value > even) above++;
    else if (value < even) below++;
  }
  if (above === l.length) return 1;
  return below === l.length ? -1 : 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}
