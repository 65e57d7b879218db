import type { AgentName } from '../cohort.ts';
import type { Evidence, Visit, Wait } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { agentIn, isQuiet } from './standstill.ts';
import { formatAge, quote } from './words.ts';

/** Every agent of the circle has requests parked and none sends: each waits before it sends what the next needs. */
export function findWaitCycles(evidence: Evidence, waits: readonly Wait[]): readonly Finding[] {
  const stuck = waits.filter(({ student }) => {
    const agent = agentIn(evidence, student);
    return agent?.parked === true && isQuiet(evidence, agent);
  });
  const seen = new Set<AgentName>();
  return stuck.flatMap(({ student }): Finding[] => {
    if (seen.has(student)) return [];
    const circle = findCircle(student, stuck);
    if (circle === null) return [];
    for (const wait of circle) seen.add(wait.student);
    const sentAll = circle.every(({ student: name }) =>
      hasSentItsStep(agentIn(evidence, name)?.visits ?? []),
    );
    return [sentAll ? describeRows(evidence, circle) : describe(evidence, circle)];
  });
}

/** As many prompts at the latest step as at most of the steps before it that are known whole. */
function hasSentItsStep(visits: readonly Visit[]): boolean {
  const sizes = new Map<number, number>();
  for (const { step } of visits) {
    if (step === null) return false;
    sizes.set(step, (sizes.get(step) ?? 0) + 1);
  }
  const counts = [...sizes.values()];
  // The first of them may be cut off.
  const before = counts.slice(1, -1).sort((a, b) => a - b);
  const usual = before[Math.floor(before.length / 2)];
  return usual !== undefined && (counts.at(-1) ?? 0) >= usual;
}

/** They went together so far, and each has sent all prompts of its step: rows that one of them lacks have shifted them. */
function describeRows({ now }: Evidence, circle: readonly Wait[]): Finding {
  const legs = circle.map(
    ({ student, teacher, prompts: [first] }) =>
      `${student} waits for ${teacher} on ${quote(first?.promptId ?? '')}`,
  );
  const since = Math.max(...circle.map(({ prompts }) => prompts[0]?.since ?? now));
  const message = `After going together so far, ${circle.map((wait) => wait.student).join(', ')} have each sent a whole step of prompts that differ: ${legs.join(', ')}. One of them has rows that another lacks, or another order since the last epoch. Give all trainers the same rows, in the same order.`;
  const agents = circle.map((wait) => wait.student);
  return findingOf('different_order', { agents, since, message, figures: { agents: agents.length } });
}

function describe({ now }: Evidence, circle: readonly Wait[]): Finding {
  const legs = circle.map(({ student, teacher, prompts: [first] }) => {
    const have = first === undefined || first.have === 0 ? '' : ` (it has sent ${first.have})`;
    return `${student} waits for ${teacher} on ${quote(first?.promptId ?? '')}${have}`;
  });
  const since = Math.max(...circle.map(({ prompts }) => prompts[0]?.since ?? now));
  const message = `Nobody can move: ${legs.join(', ')}, and nothing has come for ${formatAge(now - since)}. Each trainer waits for a reward before it sends what the other needs. Let each send all rollouts of a step before it waits (more concurrent reward calls), or give all the same prompt order.`;
  const agents = circle.map((wait) => wait.student);
  return findingOf('wait_cycle', { agents, since, message, figures: { agents: agents.length } });
}

/** The waits that lead from `start` back to it, or null. */
function findCircle(start: AgentName, waits: readonly Wait[]): readonly Wait[] | null {
  const visited = new Set<AgentName>();
  const walk = (name: AgentName, path: readonly Wait[]): readonly Wait[] | null => {
    for (const wait of waits) {
      if (wait.student !== name) continue;
      const next = [...path, wait];
      if (wait.teacher === start) return next;
      if (visited.has(wait.teacher)) continue;
      visited.add(wait.teacher);
      const found = walk(wait.teacher, next);
      if (found !== null) return found;
    }
    return null;
  };
  return walk(start, []);
}
