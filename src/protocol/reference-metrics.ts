import type { Agent, Cohort } from '../domain/cohort.ts';
import { referenceRates } from '../domain/diagnostics/figures.ts';
import type { Rates } from '../domain/diagnostics/rates.ts';
import { Tally } from '../domain/diagnostics/tally.ts';
import type { GroupCounts } from '../service/submission.ts';

/** Who is answered: the names of its metrics depend on nothing else. */
export interface Asker {
  readonly cohort: Cohort;
  readonly agent: Agent;
}

/**
 * The metrics of the method's reference implementation over some groups, under its names; null stands for a group that
 * counts nowhere. Always the same names for the same asker.
 */
export function referenceMetrics({ cohort, agent }: Asker, groups: readonly (GroupCounts | null)[]): Rates {
  const tally = new Tally();
  for (const counts of groups) {
    if (counts === null) continue;
    for (const own of counts.own) tally.add({ kind: 'agent', agent: agent.name, counts: own });
    for (const peer of counts.peers) {
      tally.add({ kind: 'pair', first: agent.name, second: peer.agent, counts: peer.counts });
    }
  }
  return referenceRates(cohort, agent.name, tally);
}
