import type { AgentName } from '../domain/cohort.ts';
import { FEWEST_AGENTS, type LabelRow } from '../domain/plan.ts';

/** Agents that agree with each other by more than this above what either does with anybody else are taken for alike. */
const MARGIN = 0.1;
/** Common prompts below which two agents agree by chance so differently that it says nothing. */
const FEWEST_COMMON = 30;

/**
 * Agents that err alike, such as two models of one family, in groups; one that errs by itself is a group of its own. Groups
 * in the order of their first agents. Three agents, two of them alike, cannot be told from three of which one is bad, so
 * that below four nobody is taken for alike.
 */
export function groupAlike(
  rows: readonly LabelRow[],
  agents: readonly AgentName[],
): readonly (readonly AgentName[])[] {
  if (agents.length <= FEWEST_AGENTS) return agents.map((agent) => [agent]);
  const agreement = agents.map((one) => agents.map((other) => agreementOf(rows, one, other)));
  const groupOf = agents.map((_, at) => at);
  for (let i = 0; i < agents.length; i++) {
    for (let j = i + 1; j < agents.length; j++) {
      const both = agreement[i]?.[j] ?? null;
      if (both === null || both <= highest(agreement, i, j) + MARGIN) continue;
      const [from, to] = [groupOf[j], groupOf[i] ?? i];
      for (const [at, group] of groupOf.entries()) if (group === from) groupOf[at] = to;
    }
  }
  return agents.flatMap((_, first) => {
    const members = agents.filter((_agent, at) => groupOf[at] === first);
    return members.length === 0 ? [] : [members];
  });
}

/** What either of two agrees with anybody else at most. */
function highest(agreement: readonly (readonly (number | null)[])[], i: number, j: number): number {
  let most = 0;
  for (const own of [i, j]) {
    for (const [other, value] of agreement[own]?.entries() ?? []) {
      if (other !== i && other !== j) most = Math.max(most, value ?? 0);
    }
  }
  return most;
}

function agreementOf(rows: readonly LabelRow[], one: AgentName, other: AgentName): number | null {
  let [both, same] = [0, 0];
  for (const { sides } of rows) {
    if (!Object.hasOwn(sides, one) || !Object.hasOwn(sides, other)) continue;
    both++;
    if (sides[one] === sides[other]) same++;
  }
  return both < FEWEST_COMMON ? null : same / both;
}
