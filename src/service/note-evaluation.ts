import type { Agent, Cohort } from '../domain/cohort.ts';
import type { Observers } from './observe.ts';

/** Counts the rollouts of evaluation that a submission brought: nothing else of them is kept. */
export function noteEvaluation(
  { cohort, agent }: { readonly cohort: Cohort; readonly agent: Agent },
  step: number | null,
  { right, wrong }: { readonly right: number; readonly wrong: number },
  { telemetry, diagnostics }: Observers,
): void {
  if (right + wrong === 0) return;
  telemetry.evaluated({ cohort: cohort.name, agent: agent.name, right, wrong });
  const counts = { evalRollouts: right + wrong, evalRight: right };
  diagnostics.add(cohort.name, step, { kind: 'agent', agent: agent.name, counts });
}
