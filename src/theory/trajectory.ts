import { type Course, type Drift, driftOf } from './dynamics.ts';
import { integrate } from './integrate.ts';
import { toChance, toLogOdds } from './log-odds.ts';

/** Each agent's chance of a right answer at one time. */
export interface Moment {
  readonly time: number;
  readonly p: readonly number[];
}

/** Chances nearer to 0 or 1 than this stay where they are: 0 and 1 themselves are rest points. */
const EDGE = 1e-12;

/** The mean-field course from `start` (chances, 0 to 1) at ascending `times`, integrated in log-odds. */
export function follow(
  course: Course,
  start: readonly number[],
  times: readonly number[],
): readonly Moment[] {
  const moments: Moment[] = [];
  integrate(inLogOdds(driftOf(course), start), start.map(toFiniteLogOdds), times, (time, l) => {
    moments.push({
      time,
      p: l.map((value, n) => (isEdge(start[n] ?? 0) ? (start[n] ?? 0) : toChance(value))),
    });
    return true;
  });
  return moments;
}

/** The drift as a field of log-odds, in which agents that start at 0 or 1 stand still. */
export function inLogOdds(
  drift: Drift,
  start: readonly number[],
): (l: readonly number[]) => readonly number[] {
  const still = start.map(isEdge);
  if (!still.includes(true)) return (l) => drift(l.map(toChance));
  return (l) => {
    const p = l.map((value, n) => (still[n] ? (start[n] ?? 0) : toChance(value)));
    return drift(p).map((speed, n) => (still[n] ? 0 : speed));
  };
}

export function toFiniteLogOdds(p: number): number {
  return toLogOdds(Math.min(1 - EDGE, Math.max(EDGE, p)));
}

export function isEdge(p: number): boolean {
  return p <= EDGE || p >= 1 - EDGE;
}
