import type { Relations } from '../domain/arrival.ts';
import { type Bucket, goneFrom, memberIn } from '../domain/bucket.ts';
import type { AgentName, Cohort, Member } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import { methodOf } from './registry.ts';

/** Whom `agent` waits for, and who waits for it, by the method of the cohort, in a bucket of this plan. */
export function relationsOf(
  { cohort, agent }: Member,
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

/** Whether the method of the cohort may reward by the ground truth. */
export function paysByTruth(cohort: Cohort): boolean {
  const method = methodOf(cohort.method);
  return method.needsTruth(cohort) || method.mayPayByTruth === true;
}

/** Whom an agent waits for in this bucket. */
export function waitsIn(bucket: Bucket, now: Member): readonly AgentName[] {
  const { cohort, agent } = memberIn(bucket, now);
  const { waitsFor, waitsForOwn } = methodOf(cohort.method);
  const names = waitsFor(cohort, agent, bucket.plan, goneFrom(bucket));
  const own = bucket.groups.get(agent.name);
  const waits = own !== undefined && waitsForOwn?.(cohort, own) === true && !names.includes(agent.name);
  return waits ? [...names, agent.name] : names;
}
