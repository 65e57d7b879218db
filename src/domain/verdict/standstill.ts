import type { AgentName } from '../cohort.ts';
import type { AgentEvidence, AwaitedPrompt, Evidence, Visit, Wait } from './evidence.ts';

/** How many times an agent's usual pause it may take before it counts as silent. */
const PATIENCE = 3;

export function agentIn({ agents }: Evidence, name: AgentName): AgentEvidence | undefined {
  return agents.find((agent) => agent.name === name);
}

/** Waits of those who still want rewards, each with the prompts that are waited for too long, if there are any. */
export function stalledWaits(evidence: Evidence): readonly Wait[] {
  return wantedWaits(evidence).flatMap((wait) => {
    const prompts = wait.prompts.filter(({ since }) => since <= stalledSince(evidence));
    return prompts.length === 0 ? [] : [{ ...wait, prompts }];
  });
}

/** Who has left wants no rewards any more, unless it asks for them. */
export function wantedWaits(evidence: Evidence): readonly Wait[] {
  const gone = new Set(
    evidence.agents.filter(({ finished, parked }) => finished && !parked).map(({ name }) => name),
  );
  return evidence.waits.filter(({ student }) => !gone.has(student));
}

export function stalledSince({ cohort, now }: Evidence): number {
  return now - cohort.watchdog.stalledAfterMs;
}

/** Nothing came of the agent for as long as makes a wait worth a word. */
export function isQuiet(evidence: Evidence, { lastArrivalAt }: AgentEvidence): boolean {
  return (lastArrivalAt ?? 0) <= stalledSince(evidence);
}

/**
 * The agent neither waits nor has been heard of, for longer than `silent_after_ms` and than it usually takes from its
 * rewards to its next rollouts.
 */
export function isSilent({ cohort, now }: Evidence, agent: AgentEvidence): boolean {
  if (agent.parked) return false;
  if (agent.heardAt === null) return true;
  const patience = Math.max(cohort.watchdog.silentAfterMs, PATIENCE * usualPause(agent.visits));
  // It cannot go on before it has its rewards.
  const readyAt = Math.max(0, ...agent.visits.map((visit) => visit.readyAt ?? 0));
  return now - Math.max(agent.heardAt, readyAt) >= patience;
}

/** The longest time, in milliseconds, from the moment when an agent could go on until its next group was full. */
function usualPause(visits: readonly Visit[]): number {
  let longest = 0;
  let before: Visit | null = null;
  for (const visit of visits) {
    if (visit.state !== 'complete' || visit.decidedAt === null) continue;
    if (before?.decidedAt != null) {
      const ready = Math.max(before.decidedAt, before.readyAt ?? before.decidedAt);
      longest = Math.max(longest, visit.decidedAt - ready);
    }
    before = visit;
  }
  return longest;
}

/** Prompts for which the teacher has sent nothing at all. */
export function absentIn({ prompts }: Wait): readonly AwaitedPrompt[] {
  return prompts.filter(({ have }) => have === 0);
}

/** Names a round of a prompt. */
export function keyOf({ promptId, round }: Pick<AwaitedPrompt, 'promptId' | 'round'>): string {
  return `${round}:${promptId}`;
}
