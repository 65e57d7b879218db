import type { Agent, AgentName, Cohort } from './cohort.ts';

/**
 * The teachers of `agent` under the cohort's supervision, in cohort order; empty for role `teacher`.
 * Ring: agent n learns from n-1, and the first from the last (paper, Eq. 3); `successor` is the
 * reference code's direction (n from n+1). With two agents both directions are the swap.
 */
export function teachersOf(cohort: Cohort, agent: Agent): readonly AgentName[] {
  if (agent.role === 'teacher') return [];
  const names = cohort.agents.map(({ name }) => name);
  const { supervision } = cohort;
  switch (supervision.kind) {
    case 'ring': {
      const step = supervision.direction === 'predecessor' ? -1 : 1;
      const teacher = names.at((names.indexOf(agent.name) + step) % names.length);
      return teacher === undefined || teacher === agent.name ? [] : [teacher];
    }
    case 'peer-majority':
    case 'pooled':
      return names.filter((name) => name !== agent.name);
    case 'graph': {
      // Own keys only: an agent may be called `constructor`.
      const declared = Object.hasOwn(supervision.teachers, agent.name)
        ? supervision.teachers[agent.name]
        : [];
      return names.filter((name) => declared?.includes(name));
    }
  }
}
