import type { Cohort } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import { emaCoefficient, isEmaStep } from '../methods/ema-schedule.ts';

/** How the trainer moves its teacher at one step. */
export interface EmaStep {
  readonly step: number;
  /** a(s): the weight of the policy. */
  readonly coefficient: number;
  /** 1 − a(s): the weight of the teacher as it was. */
  readonly teacherWeight: number;
  /** Whether the teacher is moved at this step at all. */
  readonly moves: boolean;
}

/** Throws `invalid_request` for a cohort without such a schedule. */
export function emaAt({ name, method, options }: Cohort, step: number): EmaStep {
  const { ema } = options.coRewarding;
  const coefficient = method === 'co-rewarding-ii' ? emaCoefficient(ema, step) : null;
  if (coefficient !== null) {
    return { step, coefficient, teacherWeight: 1 - coefficient, moves: isEmaStep(ema, step) };
  }
  const missing =
    method === 'co-rewarding-ii'
      ? 'options.ema_steps is not set'
      : `its method is ${method}, not co-rewarding-ii`;
  throw new ServiceError(
    'invalid_request',
    `Cohort "${name}" has no schedule of an averaged teacher: ${missing}. Set method: co-rewarding-ii and options.ema_steps, the number of training steps.`,
  );
}
