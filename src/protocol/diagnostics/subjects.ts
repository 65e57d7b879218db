import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { NO_AGENT_COUNTS } from '../../domain/diagnostics/counters.ts';
import { agentFigures, type Figures, pairFigures, type Wanted } from '../../domain/diagnostics/figures.ts';
import type { Tally } from '../../domain/diagnostics/tally.ts';

/** An agent or, with a peer, two of them, and the figures that are told of it. */
export interface Subject {
  readonly agent: AgentName;
  readonly peer: AgentName | null;
  readonly figures: Figures;
}

/** Every agent and every pair of a cohort, in its order. */
export function subjectsOf(cohort: Cohort, start: Tally, wanted: Wanted): readonly Subject[] {
  const agents = cohort.agents.map(({ name }) => name);
  return [
    ...agents.map((agent) => ({
      agent,
      peer: null,
      figures: agentFigures(cohort, agent, start.agent(agent) ?? NO_AGENT_COUNTS, wanted),
    })),
    ...agents.flatMap((agent, at) =>
      agents.slice(at + 1).map((peer) => ({ agent, peer, figures: pairFigures(agent, peer, wanted) })),
    ),
  ];
}
