import { bisect, type Touch } from './real-roots.ts';

/** Signs are looked for in this window, in steps of a fixed width. */
const WINDOW = 6.0371;
const STEP = 0.25;
/** Logarithms of what lies close to zero and beyond the window, with a step to spare. */
const FAR: readonly (readonly [number, number])[] = [
  [-21, -0.8],
  [1.5, 21],
];
const REFINEMENTS = 40;
/** The width of the slopes by which touches are refined. */
const NARROW = 2 ** -27;
/** What is smaller than this share of its neighbours is zero. */
const ZERO_SHARE = 1e-17;

export interface SignChange {
  at: number;
  /** Whether the values have opposite signs there; else it is an end of where they are real. */
  sure: boolean;
}

/** Where in the window a function changes its sign; NaN where it has no real value. */
export function scanSigns(value: (t: number) => number): SignChange[] {
  const found: SignChange[] = [];
  let before: number | null = null;
  for (let t = -WINDOW; t <= WINDOW; t += STEP) {
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

/** Where in the window a function that is never negative there is zero. */
export function scanTouches(value: (t: number) => number): Touch[] {
  return touchesWithin(value, -WINDOW, WINDOW);
}

/** The same outside of the window and close to zero, on a scale of powers of e: `\ln x - 9` is zero at 8103. */
export function scanFarTouches(value: (t: number) => number): Touch[] {
  return [1, -1].flatMap((side) =>
    FAR.flatMap(([from, to]) =>
      touchesWithin((s) => value(side * Math.exp(s)), from, to).map(({ at, order }) => ({
        at: side * Math.exp(at),
        order,
      })),
    ),
  );
}

function touchesWithin(value: (t: number) => number, from: number, to: number): Touch[] {
  const found: Touch[] = [];
  const slope = (t: number): number => value(t + NARROW) - value(t - NARROW);
  let [first, second] = [Number.NaN, Number.NaN];
  for (let t = from; t <= to; t += STEP) {
    const now = value(t);
    if (second <= first && second <= now && second >= 0 && mayReachZero(first, second, now)) {
      const [left, right] = [t - 2 * STEP, t];
      const at = falsePosition(slope, left, slope(left), right, slope(right));
      if (Math.abs(value(at)) <= Math.max(first, now) * ZERO_SHARE) {
        const order = Math.round(Math.log2(value(at + STEP / 128) / value(at + STEP / 256)));
        // Anything else is a change of sign that the samples were too far apart to show.
        if (order > 0 && order % 2 === 0) found.push({ at, order });
      }
    }
    [first, second] = [second, now];
  }
  return found;
}

/** Whether the lowest of three values may lie next to a zero: by a parabola through them, with room for other curves. */
function mayReachZero(first: number, second: number, third: number): boolean {
  const bend = first - 2 * second + third;
  return second - (third - first) ** 2 / (8 * bend) <= bend / 2;
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
