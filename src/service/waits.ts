import type { Bucket } from '../domain/bucket.ts';
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

type AwaitedPrompt = Wait['prompts'][number];

/** An agent that others wait for. */
export interface Awaited {
  readonly agent: AgentName;
  /** Prompts that its rollouts are missing for. */
  readonly prompts: number;
  /** Since when the oldest of them is waited for; milliseconds of the store's clock. */
  readonly since: number;
}

/**
 * Who waits for whom in these open buckets, by (student, teacher) in the order of the cohort. An agent's wait
 * for itself is left out. Work grows with the groups that have rollouts, not with all pairs of agents.
 */
export function findWaits(cohort: Cohort, buckets: readonly Bucket[]): Wait[] {
  const { waitsFor } = methodOf(cohort.method);
  const waits = new Map<AgentName, Map<AgentName, AwaitedPrompt[]>>();
  for (const student of cohort.agents) {
    const teachers = waitsFor(cohort, student).filter((teacher) => teacher !== student.name);
    waits.set(student.name, new Map(teachers.map((teacher) => [teacher, []])));
  }
  for (const { promptId, round, groups } of buckets) {
    for (const { agent, rollouts } of groups.values()) {
      if (rollouts.length === 0) continue;
      for (const [teacher, prompts] of waits.get(agent) ?? []) {
        const awaited = groups.get(teacher);
        if (awaited?.state === 'open') prompts.push({ promptId, round, since: awaited.openedAt });
      }
    }
  }
  return [...waits].flatMap(([student, byTeacher]) =>
    [...byTeacher].flatMap(([teacher, prompts]) =>
      prompts.length === 0 ? [] : [{ student, teacher, prompts: prompts.sort((a, b) => a.since - b.since) }],
    ),
  );
}

/** The agents that these waits are for, each once: a prompt that several wait for counts once. */
export function findAwaited(waits: readonly Wait[]): readonly Awaited[] {
  const byAgent = new Map<AgentName, Map<string, number>>();
  for (const { teacher, prompts } of waits) {
    const seen = byAgent.get(teacher) ?? new Map<string, number>();
    for (const { promptId, round, since } of prompts) seen.set(JSON.stringify([promptId, round]), since);
    byAgent.set(teacher, seen);
  }
  return [...byAgent].map(([agent, seen]) => ({
    agent,
    prompts: seen.size,
    since: Math.min(...seen.values()),
  }));
}
