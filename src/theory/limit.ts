import { type Course, type Drift, driftOf } from './dynamics.ts';
import { integrate } from './integrate.ts';
import { inLogOdds, isEdge, toFiniteLogOdds } from './trajectory.ts';
import { bisect } from './vote-curve.ts';

/** Where a course ends: every agent's limit, 0 or 1, or that it starts on the border between two ends. */
export type Limit =
  | { readonly kind: 'settles'; readonly to: readonly number[] }
  /** Between starts that end differently; where a finite batch goes from here is chance. */
  | { readonly kind: 'separatrix' }
  /** Neither within the time that was looked at. */
  | { readonly kind: 'undecided' };

/** A start within so much log-odds of another end lies on the separatrix: about 2.5e-7 in p near 1/2. */
const BORDER = 1e-6;
/** Two agents leave p = 1/2 at a rate of about 1/2, so a start just off the border needs some 30 units of time at η = 1. */
const LONGEST = 2_000;

/**
 * The end of a course from `start`. Exact up to the integration: once all agents are on one side of the even point,
 * where nobody is pulled back across it, they stay there. A start is nudged both ways, since on the separatrix itself
 * the numbers decide nothing. `drift`: that of the course, from whoever asks of many starts.
 */
export function limitOf(course: Course, start: readonly number[], drift: Drift = driftOf(course)): Limit {
  const ends = [-BORDER, BORDER].map((nudge) => endFrom(course, drift, start, nudge));
  const [low, high] = ends;
  if (low == null || high == null) return { kind: 'undecided' };
  return low.every((end, n) => end === high[n]) ? { kind: 'settles', to: low } : { kind: 'separatrix' };
}

function endFrom(
  course: Course,
  drift: Drift,
  start: readonly number[],
  nudge: number,
): readonly number[] | null {
  const field = inLogOdds(drift, start);
  const from = start.map((p) => toFiniteLogOdds(p) + (isEdge(p) ? 0 : nudge));
  const slowest = Math.min(...course.learners.map(({ eta }) => eta));
  const times = Array.from({ length: LONGEST }, (_, at) => (at + 1) / slowest);
  let end: readonly number[] | null = null;
  integrate(
    field,
    from,
    times,
    (_, l) => {
      // Far on one side and moving further out: nothing turns it round.
      const speed = field(l);
      const gone = l.map((value, n) =>
        isEdge(start[n] ?? 0) ? Math.round(start[n] ?? 0) : settledSide(value, speed[n] ?? 0),
      );
      if (gone.includes(null)) return true;
      end = gone.map((side) => side ?? 0);
      return false;
    },
    { absolute: 1e-9, relative: 1e-9 },
  );
  return end;
}

/** 1 or 0 once the log-odds are beyond ±3 and still moving out, else null. */
function settledSide(l: number, speed: number): number | null {
  if (l > 3 && speed > 0) return 1;
  return l < -3 && speed < 0 ? 0 : null;
}

/**
 * The value of agent `n`'s chance at which the end of the course changes, between `low` and `high`, to 1e-6; null when
 * both ends are the same. Cooperative teaching only (all but `self`): a higher start never ends lower.
 */
export function criticalChance(
  course: Course,
  start: readonly number[],
  n: number,
  low = 0.001,
  high = 0.999,
): number | null {
  const drift = driftOf(course);
  const endsHigh = (p: number) => {
    const end = endFrom(
      course,
      drift,
      start.map((value, m) => (m === n ? p : value)),
      0,
    );
    return end?.every((side) => side === 1) ?? false;
  };
  if (endsHigh(low) || !endsHigh(high)) return null;
  return bisect((p) => (endsHigh(p) ? 1 : -1), low, high, 1e-7);
}
