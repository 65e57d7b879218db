import { bisect } from './real-roots.ts';

/** Signs are looked for in this window, in steps of a fixed width. */
const WINDOW = 6.0371;
const STEP = 0.25;
const REFINEMENTS = 40;

export interface SignChange {
  at: number;
  /** Whether the values have opposite signs there; else it is an end of where they are real. */
  sure: boolean;
}

/** Where in the window, and between two ends, a function changes its sign; NaN where it has no real value. */
export function scanSigns(value: (t: number) => number, low: number, high: number): SignChange[] {
  const found: SignChange[] = [];
  let before: number | null = null;
  for (let t = -WINDOW; t <= WINDOW; t += STEP) {
    if (t <= low || t >= high) continue;
    const now = value(t);
    if (before !== null && now * before < 0)
      found.push({ at: falsePosition(value, t - STEP, before, t, now), sure: true });
    else if (before !== null && Number.isNaN(now) !== Number.isNaN(before))
      found.push({
        at: bisect((place) => (Number.isNaN(value(place)) ? 0 : 1), t - STEP, t, REFINEMENTS),
        sure: false,
      });
    before = now;
  }
  return found;
}

/** The Illinois variant of the false position, for a change of sign between two places. */
function falsePosition(
  value: (t: number) => number,
  left: number,
  atLeft: number,
  right: number,
  atRight: number,
): number {
  let [a, fa, b, fb] = [left, atLeft, right, atRight];
  for (let i = 0; i < REFINEMENTS; i += 1) {
    const t = b - (fb * (b - a)) / (fb - fa);
    const ft = value(t);
    if (Math.abs(ft) > Math.abs(atLeft) + Math.abs(atRight)) break;
    if (ft === 0 || Number.isNaN(ft) || Math.abs(t - b) < 1e-14 * (1 + Math.abs(t))) return t;
    if (ft * fb < 0) [a, fa] = [b, fb];
    else fa /= 2;
    [b, fb] = [t, ft];
  }
  // A pole, where the values only grow.
  return bisect((t) => Math.sign(value(t)), left, right);
}
