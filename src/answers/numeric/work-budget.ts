/**
 * A bound on the steps that one answer may cost, so that no model output can stall the event loop. Counted
 * instead of timed, so that the same answer gets the same key on every machine.
 */
export interface WorkBudget {
  left: number;
}

/** Steps per answer; a typical answer takes fewer than a hundred. */
const ANSWER_STEPS = 20_000;

export function newBudget(steps = ANSWER_STEPS): WorkBudget {
  return { left: steps };
}

/** Takes steps from the budget; false when it is spent. */
export function spend(budget: WorkBudget, steps: number): boolean {
  budget.left -= Math.max(1, steps);
  return budget.left > 0;
}
