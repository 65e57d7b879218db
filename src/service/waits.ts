import { type Bucket, goneFrom } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import type { AwaitedPrompt, Wait } from '../domain/verdict/evidence.ts';
import { waitsIn } from '../methods/relations.ts';

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
 * for itself is left out. Each bucket goes by its own settings and plan.
 */
export function findWaits(cohort: Cohort, buckets: readonly Bucket[]): Wait[] {
  const waits = new Map<AgentName, Map<AgentName, AwaitedPrompt[]>>();
  // Few plans have open buckets, and each is asked once: work grows with the groups, not with all pairs of agents.
  const teachersUnder = new Map<string, ReadonlyMap<AgentName, readonly AgentName[]>>();
  for (const bucket of buckets) {
    const { promptId, round, settings, plan, groups } = bucket;
    const under = JSON.stringify([settings.edition, plan?.version ?? 0, ...goneFrom(bucket)]);
    const teachers =
      teachersUnder.get(under) ??
      new Map(cohort.agents.map((agent) => [agent.name, waitsIn(bucket, { cohort, agent })]));
    teachersUnder.set(under, teachers);
    for (const { agent, rollouts, openedAt } of groups.values()) {
      if (rollouts.length === 0) continue;
      for (const teacher of teachers.get(agent) ?? []) {
        const awaited = teacher === agent ? undefined : groups.get(teacher);
        if (awaited?.state !== 'open') continue;
        const byTeacher = waits.get(agent) ?? new Map<AgentName, AwaitedPrompt[]>();
        const prompts = byTeacher.get(teacher) ?? [];
        prompts.push({
          promptId,
          round,
          since: Math.max(openedAt, awaited.openedAt),
          have: awaited.rollouts.length,
        });
        waits.set(agent, byTeacher.set(teacher, prompts));
      }
    }
  }
  const inOrder = <T>(byName: ReadonlyMap<AgentName, T> | undefined) =>
    cohort.agents.flatMap(({ name }): [AgentName, T][] => {
      const found = byName?.get(name);
      return found === undefined ? [] : [[name, found]];
    });
  return inOrder(waits).flatMap(([student, byTeacher]) =>
    inOrder(byTeacher).map(([teacher, prompts]) => ({
      student,
      teacher,
      prompts: prompts.sort((a, b) => a.since - b.since),
    })),
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
