/** The step of an agent went back although no new incarnation was named: a restart that nobody was told of. */
export interface Rewind {
  /** The highest step before, and the one that it went back to. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds of the store's clock. */
  readonly at: number;
}

/** Where an agent's trainer is, by its own counter. */
export interface StepTrail {
  /** Step of the latest new rollouts; null where none is sent. */
  readonly step: number | null;
  /** Who sent them. */
  readonly incarnation: string | null;
  /** Null once the agent has caught up with where it was. */
  readonly rewind: Rewind | null;
}

export const NO_TRAIL: StepTrail = { step: null, incarnation: null, rewind: null };

/**
 * The trail after new rollouts of a step. A straggler of an earlier step rewinds it too, until the next rollouts of the
 * step that had been reached: who reads it waits for that.
 */
export function noteStep(
  trail: StepTrail,
  { step, incarnation }: Omit<StepTrail, 'rewind'>,
  now: number,
): StepTrail {
  if (step === null) return trail;
  if (trail.step === null || incarnation !== trail.incarnation) return { step, incarnation, rewind: null };
  const reached = Math.max(trail.step, trail.rewind?.from ?? trail.step);
  if (step >= reached)
    return step === trail.step && trail.rewind === null ? trail : { step, incarnation, rewind: null };
  const rewind = trail.rewind ?? { from: reached, to: step, at: now };
  return { step, incarnation, rewind };
}
