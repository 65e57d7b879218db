import type { EmaSchedule } from '../domain/method-options.ts';

/**
 * a(s) = end + (start − end) / 2 · (1 + cos(π · clip(s − 1, 0, T) / T)), steps counted from 1 (Co-rewarding's reference,
 * `update_alpha`). The trainer does the averaging. Null without T.
 */
export function emaCoefficient({ start, end, steps }: EmaSchedule, step: number): number | null {
  if (steps === null) return null;
  const done = Math.min(Math.max(step - 1, 0), steps);
  return end + ((start - end) / 2) * (1 + Math.cos((Math.PI * done) / steps));
}

/** Whether the reference moves its teacher at this step. */
export function isEmaStep({ interval }: EmaSchedule, step: number): boolean {
  return step > 0 && step % interval === 0;
}
