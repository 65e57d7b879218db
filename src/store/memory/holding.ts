import type { AgentName, Cohort } from '../../domain/cohort.ts';
import type { Manifest } from '../../domain/manifest.ts';
import { ActivityLog } from './activity-log.ts';
import { CohortShelf } from './cohort-shelf.ts';
import { DiagnosticsShelf } from './diagnostics-shelf.ts';
import { SubmissionShelf } from './submission-shelf.ts';

/** All that one cohort holds in this process. */
export interface Holding {
  readonly shelf: CohortShelf;
  readonly activity: Map<AgentName, ActivityLog>;
  readonly submissions: SubmissionShelf;
  readonly diagnostics: DiagnosticsShelf;
  manifest: Manifest | null;
}

export function openHolding(cohort: Cohort): Holding {
  const shelf = new CohortShelf(cohort);
  return {
    shelf,
    activity: new Map(),
    submissions: new SubmissionShelf(),
    diagnostics: new DiagnosticsShelf(() => shelf.cohort.agents.length),
    manifest: null,
  };
}

export function logOf(holding: Holding, agent: AgentName): ActivityLog {
  const known = holding.activity.get(agent);
  if (known !== undefined) return known;
  const log = new ActivityLog();
  holding.activity.set(agent, log);
  return log;
}
