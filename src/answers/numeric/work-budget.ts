/**
 * A bound on the steps that one answer may cost, so that no model output can stall the event loop. Counted
 * instead of timed, so that the same answer gets the same key on every machine.
 */
export interface WorkBudget {
  left: number;
}

/** Steps per answer, each about a microsecond; a typical answer takes fewer than a hundred. */
const ANSWER_STEPS = 6000;

let current: WorkBudget | null = null;

/** Runs the analysis of one answer: all that it evaluates draws on one budget. */
export function withBudget<T>(run: () => T): T {
  if (current !== null) return run();
  current = { left: ANSWER_STEPS };
  try {
    return run();
  } finally {
    current = null;
  }
}

/** The budget of the answer that is being analysed, or a new one outside of that. */
export function answerBudget(): WorkBudget {
  return current ?? { left: ANSWER_STEPS };
}

/** Takes steps from the budget; false when it is spent. */
export function spend(budget: WorkBudget, steps: number): boolean {
  budget.left -= Math.max(1, steps);
  return budget.left > 0;
}
