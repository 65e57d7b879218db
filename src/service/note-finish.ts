import { findAgent, type Member } from '../domain/cohort.ts';
import { relationsOf } from '../methods/relations.ts';
import type { Store } from '../store/store.ts';
import type { Planner } from './planner.ts';
import type { Logger } from './telemetry.ts';

/** Tells the log who learns from somebody else from now on, since an agent has finished, and who from nobody. */
export async function noteFinish(
  { cohort, agent }: Member,
  { store, planner, logger }: { readonly store: Store; readonly planner: Planner; readonly logger: Logger },
): Promise<void> {
  const activity = await store.readActivity(cohort);
  const left = new Set(activity.flatMap(({ agent: name, finished }) => (finished ? [name] : [])));
  const plan = await planner.current(cohort);
  for (const name of relationsOf({ cohort, agent }, plan).students) {
    const student = findAgent(cohort, name);
    if (student === undefined || left.has(name)) continue;
    const { teachers } = relationsOf({ cohort, agent: student }, plan, left);
    const others = teachers.flatMap((teacher) => (left.has(teacher.name) ? [] : [teacher.name]));
    const from = others.length === 0 ? 'nobody' : others.join(', ');
    const message = `${agent.name} has finished: from the next prompt on ${name} learns from ${from}.`;
    logger.info({ cohort: cohort.name, agent: agent.name, student: name, teachers: others }, message);
  }
}
