import type { Relations } from '../domain/arrival.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import { methodOf } from './registry.ts';

/** Whom `agent` waits for, and who waits for it, by the method of the cohort, in a bucket of this plan. */
export function relationsOf(cohort: Cohort, agent: Agent, plan: Plan | null): Relations {
  const { waitsFor } = methodOf(cohort.method);
  const teachers = waitsFor(cohort, agent, plan);
  const students = cohort.agents.filter((other) => waitsFor(cohort, other, plan).includes(agent.name));
  return {
    teachers: cohort.agents.filter(({ name }) => teachers.includes(name)),
    students: students.map(({ name }) => name),
  };
}
