import type { Bucket } from '../domain/bucket.ts';
import { isDecided } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import { methodOf } from '../methods/registry.ts';
import type { BucketRef } from '../store/store.ts';

/** One agent waits for another: on which prompts, and since when. */
export interface Wait {
  readonly student: AgentName;
  readonly teacher: AgentName;
  /** Oldest first. */
  readonly prompts: readonly (BucketRef & { readonly since: number })[];
}

/** Who waits for whom in these open buckets, by (student, teacher). An agent's wait for itself is left out. */
export function findWaits(cohort: Cohort, buckets: readonly Bucket[]): Wait[] {
  const { waitsFor } = methodOf(cohort.method);
  const waits: Wait[] = [];
  for (const student of cohort.agents) {
    for (const teacher of waitsFor(cohort, student)) {
      if (teacher === student.name) continue;
      const prompts = buckets.flatMap(({ promptId, round, groups }) => {
        const awaited = groups.get(teacher);
        const sent = groups.get(student.name)?.rollouts.length ?? 0;
        if (awaited === undefined || isDecided(awaited) || sent === 0) return [];
        return [{ promptId, round, since: awaited.openedAt }];
      });
      prompts.sort((a, b) => a.since - b.since);
      if (prompts.length > 0) waits.push({ student: student.name, teacher, prompts });
    }
  }
  return waits;
}
