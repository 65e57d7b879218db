import type { ArrivalOutcome } from '../domain/arrival.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import type { Refused } from '../store/store.ts';
import type { Logger, Telemetry } from './telemetry.ts';

/** Counts groups that came with another truth than their prompts have, and says so once for a submission. */
export function noteDisputes(
  { cohort, agent }: { readonly cohort: Cohort; readonly agent: Agent },
  outcomes: readonly (ArrivalOutcome | Refused)[],
  { telemetry, logger }: { readonly telemetry: Telemetry; readonly logger: Logger },
): void {
  const disputed = outcomes.flatMap((outcome) =>
    outcome.kind === 'stored' && outcome.dispute !== undefined ? [outcome.bucket.promptId] : [],
  );
  if (disputed.length === 0) return;
  const names = { cohort: cohort.name, agent: agent.name };
  telemetry.truthsDisputed({ ...names, count: disputed.length });
  logger.warn(
    { ...names, prompts: disputed.length, prompt_id: disputed[0] },
    'A ground truth contradicts the one that came first for its prompt id, which stays; no reward is made of either. Do both data sets number their problems alike?',
  );
}
