import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import { readsOwnGroup } from '../domain/reward-rules.ts';

/**
 * Whom the agent waits for when its label comes from `teachers`: they, and itself where the cohort's rules read its own
 * group. In the order of the cohort, so that all who pool the same groups get the same label.
 */
export function awaitedBy(
  cohort: Cohort,
  agent: Agent,
  teachers: readonly AgentName[],
): readonly AgentName[] {
  if (agent.role === 'teacher') return [];
  const awaited = new Set(teachers);
  if (readsOwnGroup(cohort.reward) || cohort.includeOwn) awaited.add(agent.name);
  return cohort.agents.flatMap(({ name }) => (awaited.has(name) ? [name] : []));
}
