import { type Cohort, findAgent } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import type { TeacherOrder } from '../domain/plan.ts';

/** Throws `invalid_request` with every problem of teachers that are to be set in this cohort. */
export function checkOrder(cohort: Cohort, { teachers }: TeacherOrder): void {
  const names = cohort.agents.map(({ name }) => name).join(', ');
  const problems = Object.entries(teachers).flatMap(([agent, teacher]) => {
    const message = whyNot(cohort, agent, teacher, names);
    return message === null ? [] : [{ path: `teachers.${agent}`, message }];
  });
  const [first] = problems;
  if (first === undefined) return;
  throw new ServiceError('invalid_request', `${first.path}: ${first.message}.`, {
    details: { problems: problems.slice(0, 20) },
  });
}

function whyNot(cohort: Cohort, agent: string, teacher: string, names: string): string | null {
  const student = findAgent(cohort, agent);
  if (student === undefined) return `"${agent}" is no agent of this cohort; its agents are ${names}`;
  if (student.role === 'teacher') return `"${agent}" has role teacher and learns from nobody`;
  if (findAgent(cohort, teacher) === undefined) {
    return `"${teacher}" is no agent of this cohort; its agents are ${names}`;
  }
  return teacher === agent ? `"${agent}" cannot teach itself` : null;
}

export function notAdaptive({ name }: Cohort): ServiceError {
  return new ServiceError(
    'not_adaptive',
    `Cohort "${name}" does not choose its teachers. Create it with supervision: adaptive, or use a graph to declare them.`,
  );
}
