/** dy/dt at y; the dynamics do not depend on the time itself. */
export type Field = (y: readonly number[]) => readonly number[];

export interface Tolerance {
  /** Largest error of one step, absolute and relative to the value. */
  readonly absolute: number;
  readonly relative: number;
}

/** Steps of one integration before it is given up: far more than any smooth drift takes. */
const MAX_STEPS = 1_000_000;

// Coefficients of Dormand and Prince, "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6 (1980), 5(4).
const STAGES = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
] as const;
const FIFTH = [...STAGES[6], 0];
const FOURTH = [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40];

/**
 * Runs y' = field(y) from `start` through ascending `times` (all >= 0, start at 0) with an adaptive Runge–Kutta step of
 * order 5(4), and calls `at` with y at each of them. `at` may return false to stop.
 */
export function integrate(
  field: Field,
  start: readonly number[],
  times: readonly number[],
  at: (time: number, y: readonly number[]) => boolean | undefined,
  { absolute, relative }: Tolerance = { absolute: 1e-10, relative: 1e-10 },
): void {
  let y = start;
  let time = 0;
  let size = 0.01;
  let steps = 0;
  for (const target of times) {
    while (time < target) {
      if (++steps > MAX_STEPS) throw new Error('The step has become too small: the dynamics are not smooth.');
      const step = Math.min(size, target - time);
      const stages = stagesOf(field, y, step);
      const next = combine(y, stages, FIFTH, step);
      const embedded = combine(y, stages, FOURTH, step);
      const error = Math.max(
        ...next.map(
          (value, n) => Math.abs(value - (embedded[n] ?? 0)) / (absolute + relative * Math.abs(value)),
        ),
      );
      if (error <= 1) {
        // The last step to a target is cut to it exactly, so that rounding leaves no rest.
        time = step === target - time ? target : time + step;
        y = next;
      }
      const factor = error === 0 ? 5 : Math.min(5, Math.max(0.2, 0.9 * error ** -0.2));
      if (error > 1 || step === size) size = step * factor;
    }
    if (at(target, y) === false) return;
  }
}

function stagesOf(field: Field, y: readonly number[], step: number): readonly (readonly number[])[] {
  const stages: (readonly number[])[] = [];
  for (const weights of STAGES) stages.push(field(combine(y, stages, weights, step)));
  return stages;
}

function combine(
  y: readonly number[],
  stages: readonly (readonly number[])[],
  weights: readonly number[],
  step: number,
): readonly number[] {
  return y.map(
    (value, n) => value + step * weights.reduce((sum, weight, s) => sum + weight * (stages[s]?.[n] ?? 0), 0),
  );
}
