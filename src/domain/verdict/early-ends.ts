import type { AgentName } from '../cohort.ts';
import type { Evidence, Visit } from './evidence.ts';
import type { Finding } from './finding.ts';
import { stuckVisits } from './k-mismatch.ts';
import { agentIn } from './standstill.ts';

/** Groups of an agent that can never fill: each has stopped at `size` rollouts. */
export interface EarlyEnd {
  readonly agent: AgentName;
  readonly size: number;
  readonly groups: readonly Pick<Visit, 'promptId' | 'round'>[];
}

/**
 * What need not be waited for until the deadline, by the findings on the same evidence: open groups of an agent whose
 * groups all stop at one count. The first are given `grace_ms` more than it took to find that out, since ranks of a
 * trainer may be slow; once one was decided without the rest, the others follow as soon as they are old enough.
 */
export function findEarlyEnds(evidence: Evidence, findings: readonly Finding[]): readonly EarlyEnd[] {
  const { cohort, now } = evidence;
  return findings.flatMap(({ code, agents: [name = ''], figures: { have: size } }): EarlyEnd[] => {
    const agent = agentIn(evidence, name);
    if (code !== 'k_mismatch' || size === undefined || agent === undefined) return [];
    const stuck = stuckVisits(evidence, agent);
    const isKnown = stuck.some(({ state }) => state !== 'open');
    const patience = cohort.watchdog.stalledAfterMs + (isKnown ? 0 : cohort.barrier.graceMs);
    const groups = stuck.filter(({ state, openedAt }) => state === 'open' && now - openedAt >= patience);
    return groups.length === 0 ? [] : [{ agent: name, size, groups }];
  });
}
