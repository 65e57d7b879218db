import type { Relations } from '../domain/arrival.ts';
import { type Bucket, goneFrom } from '../domain/bucket.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import { methodOf } from './registry.ts';

/** Whom `agent` waits for, and who waits for it, by the method of the cohort, in a bucket of this plan. */
export function relationsOf(
  cohort: Cohort,
  agent: Agent,
  plan: Plan | null,
  gone?: ReadonlySet<AgentName>,
): Relations {
  const { waitsFor } = methodOf(cohort.method);
  const teachers = waitsFor(cohort, agent, plan, gone);
  const students = cohort.agents.filter((other) => waitsFor(cohort, other, plan, gone).includes(agent.name));
  return {
    teachers: cohort.agents.filter(({ name }) => teachers.includes(name)),
    students: students.map(({ name }) => name),
  };
}

/** Whom `agent` waits for in this bucket. */
export function waitsIn(cohort: Cohort, agent: Agent, bucket: Bucket): readonly AgentName[] {
  return methodOf(cohort.method).waitsFor(cohort, agent, bucket.plan, goneFrom(bucket));
}
