import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { NO_AGENT_COUNTS } from '../../domain/diagnostics/counters.ts';
import { agentFigures, type Figure, pairFigures } from '../../domain/diagnostics/figures.ts';
import type { Tally } from '../../domain/diagnostics/tally.ts';

/** An agent or, with a peer, two of them, and the figures that are told of it. */
export interface Subject {
  readonly agent: AgentName;
  readonly peer: AgentName | null;
  readonly figures: ReadonlyMap<string, Figure>;
}

/** Every agent and every pair of a cohort, in its order. `names`: the figures wanted, null for all. */
export function subjectsOf(
  cohort: Cohort,
  start: Tally,
  names: ReadonlySet<string> | null,
): readonly Subject[] {
  const chosen = (figures: ReadonlyMap<string, Figure>) =>
    new Map([...figures].filter(([name]) => names?.has(name) ?? true));
  const agents = cohort.agents.map(({ name }) => name);
  return [
    ...agents.map((agent) => ({
      agent,
      peer: null,
      figures: chosen(agentFigures(cohort, agent, start.agent(agent) ?? NO_AGENT_COUNTS)),
    })),
    ...agents.flatMap((agent, at) =>
      agents.slice(at + 1).map((peer) => ({ agent, peer, figures: chosen(pairFigures(agent, peer)) })),
    ),
  ];
}
