import type { Agent, Cohort } from '../domain/cohort.ts';
import {
  mergeAgentCounts,
  mergePairCounts,
  NO_AGENT_COUNTS,
  type PairCounts,
} from '../domain/diagnostics/counters.ts';
import { referenceRates } from '../domain/diagnostics/figures.ts';
import type { Rates } from '../domain/diagnostics/rates.ts';
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
  const counted = groups.filter((counts) => counts !== null);
  const own = counted.reduce((sum, group) => mergeAgentCounts(sum, group.own), NO_AGENT_COUNTS);
  const peers = new Map<string, PairCounts>();
  for (const peer of counted.flatMap((group) => group.peers)) {
    const known = peers.get(peer.agent);
    peers.set(peer.agent, known === undefined ? peer.counts : mergePairCounts(known, peer.counts));
  }
  const compared = [...peers].map(([name, counts]) => ({ agent: name, counts }));
  return referenceRates(cohort, agent.name, own, compared);
}
