import type { Agent, AgentName, Cohort, RingDirection } from './cohort.ts';
import type { Plan } from './plan.ts';

const NOBODY: ReadonlySet<AgentName> = new Set();

/**
 * The teachers of `agent` under the cohort's supervision, in cohort order; empty for role `teacher`.
 * Ring: agent n learns from n-1, and the first from the last (paper, Eq. 3); `successor` is the
 * reference code's direction (n from n+1). With two agents both directions are the swap. Adaptive: whom the plan
 * names, and the ring where it names nobody of this cohort. Both close over those who have not `left`, if there are any and the cohort wants it.
 */
export function teachersOf(
  cohort: Pick<Cohort, 'agents' | 'supervision' | 'onFinish'>,
  agent: Agent,
  plan: Plan | null,
  left: ReadonlySet<AgentName> = NOBODY,
): readonly AgentName[] {
  if (agent.role === 'teacher') return [];
  const names = cohort.agents.map(({ name }) => name);
  const { supervision } = cohort;
  const gone = cohort.onFinish === 'expire' ? NOBODY : left;
  switch (supervision.kind) {
    case 'ring':
      return firstOf(ringOrder(names, agent.name, supervision.direction), gone);
    case 'adaptive': {
      const planned = plan?.teachers ?? {};
      const teacher = Object.hasOwn(planned, agent.name) ? planned[agent.name] : undefined;
      const isThere = teacher !== undefined && names.includes(teacher) && !gone.has(teacher);
      return isThere && teacher !== agent.name
        ? [teacher]
        : firstOf(ringOrder(names, agent.name, supervision.fallback), gone);
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

/** The first that is there, or the first of all where nobody is. */
function firstOf(order: readonly AgentName[], gone: ReadonlySet<AgentName>): readonly AgentName[] {
  const there = order.filter((name) => !gone.has(name));
  return (there.length > 0 ? there : order).slice(0, 1);
}

/** Every agent, the agent itself too: methods whose rewards come out of a discussion wait for all of it. */
export function discussionOf(cohort: Cohort): readonly AgentName[] {
  return cohort.agents.map(({ name }) => name);
}

/** The agents that see the problem in another text than `agent` does. */
export function otherViewsOf(cohort: Cohort, agent: Agent): readonly AgentName[] {
  return cohort.agents.flatMap(({ name, view }) => (view === agent.view ? [] : [name]));
}

/** The agents that only vote, such as a slow copy of the policy; nobody for one of them. */
export function frozenTeachersOf(cohort: Cohort, agent: Agent): readonly AgentName[] {
  if (agent.role === 'teacher') return [];
  return cohort.agents.flatMap(({ name, role }) => (role === 'teacher' ? [name] : []));
}

/** The other agents in the order in which a ring of this direction reaches them from `agent`; the first teaches it. */
export function ringOrder(
  names: readonly AgentName[],
  agent: AgentName,
  direction: RingDirection,
): readonly AgentName[] {
  const at = names.indexOf(agent);
  const after = [...names.slice(at + 1), ...names.slice(0, at)];
  return direction === 'successor' ? after : after.reverse();
}
