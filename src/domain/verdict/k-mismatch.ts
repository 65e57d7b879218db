import type { AgentEvidence, Evidence, Visit } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { agentIn, isQuiet, isSilent, stalledSince } from './standstill.ts';
import { quote } from './words.ts';

/** The agent still takes part, and its groups all stop at the same count below k. */
export function findKMismatch(evidence: Evidence): readonly Finding[] {
  return evidence.cohort.agents.flatMap(({ name, k }): Finding[] => {
    const agent = agentIn(evidence, name);
    if (agent === undefined || agent.finished || isSilent(evidence, agent)) return [];
    const stuck = stuckVisits(evidence, agent);
    const [first] = stuck;
    if (first === undefined || stuck.length < enoughGroups(evidence, agent, stuck)) return [];
    const have = first.size;
    if (stuck.some(({ size }) => size !== have)) return [];
    const message = `Every group of "${name}" stops at ${have} of ${first.k} rollouts (${stuck.length === 1 ? 'prompt' : `${stuck.length} prompts, the first is`} ${quote(first.promptId)}). Does its trainer sample ${have} per prompt? Then set k: ${have} for this agent, or let the trainer sample ${k}. Until then each group is waited for in vain, and decided with what it has.`;
    const figures = { have, need: first.k, prompts: stuck.length };
    return [findingOf('k_mismatch', { agents: [name], since: first.openedAt, message, figures })];
  });
}

/** The newest groups that are short of k and get no more: open for long, or decided without the rest. Oldest first. */
export function stuckVisits(evidence: Evidence, { visits }: AgentEvidence): readonly Visit[] {
  const stuck: Visit[] = [];
  for (const visit of visits.toReversed()) {
    if (visit.size === 0) continue;
    if (visit.size >= visit.k) break;
    // What is newer than that may still get more.
    const isYoung = visit.state === 'open' && visit.openedAt > stalledSince(evidence);
    if (!isYoung) stuck.push(visit);
  }
  return stuck.reverse();
}

/**
 * One group is enough of an agent that waits with it and never had a larger one. A trainer that sends one by one
 * begins every step with one rollout for each of several prompts, and who has filled groups before may be slow with some.
 */
function enoughGroups(evidence: Evidence, agent: AgentEvidence, stuck: readonly Visit[]): number {
  const have = stuck[0]?.size ?? 0;
  if (have <= 1) return 8;
  const waits = agent.parked && isQuiet(evidence, agent);
  const isLargest = agent.visits.every(({ size }) => size <= have);
  if (isLargest) return waits ? 1 : 3;
  return waits || stuck.every(({ state }) => state !== 'open') ? 3 : Number.POSITIVE_INFINITY;
}
