import type { AgentName, Cohort } from '../cohort.ts';
import { compatRates, type Peer } from './compat-rates.ts';
import { type AgentCounts, NO_AGENT_COUNTS, NO_PAIR_COUNTS } from './counters.ts';
import { AGENT_RATES, PAIR_RATES, type Rate, type Rates, rateOf } from './rates.ts';
import type { Tally } from './tally.ts';

/** How a figure comes from a tally. */
export type Figure = (tally: Tally) => Rate;

type Run = Pick<Cohort, 'method' | 'agents'>;

/**
 * The figures of one agent by name: ours, then those of the method's reference. `first` are its counts at its first
 * step, which `reward_std_normalized` is relative to (Co-RL, Fig. 4b).
 */
export function agentFigures(cohort: Run, agent: AgentName, first: AgentCounts): ReadonlyMap<string, Figure> {
  const countsIn = (tally: Tally) => tally.agent(agent) ?? NO_AGENT_COUNTS;
  const start = AGENT_RATES.reward_std_within_pop(first).value;
  const figures = new Map<string, Figure>();
  for (const [name, rate] of Object.entries(AGENT_RATES)) {
    figures.set(name, (tally) => rate(countsIn(tally)));
    if (name !== 'reward_std_within_pop') continue;
    figures.set('reward_std_normalized', (tally) => relativeTo(start, rate(countsIn(tally))));
  }
  for (const name of referenceRates(cohort, agent, NO_AGENT_COUNTS, []).keys()) {
    figures.set(name, (tally) => {
      const peers = cohort.agents.flatMap(({ name: peer }): Peer[] => {
        const counts = tally.pair(agent, peer);
        return counts === null ? [] : [{ agent: peer, counts }];
      });
      return referenceRates(cohort, agent, countsIn(tally), peers).get(name) ?? rateOf(0, 0);
    });
  }
  return figures;
}

/** The figures of two agents by name, `agent` being the one that is first in the cohort. */
export function pairFigures(agent: AgentName, peer: AgentName): ReadonlyMap<string, Figure> {
  return new Map(
    Object.entries(PAIR_RATES).map(([name, rate]) => [
      name,
      (tally: Tally) => rate(tally.pair(agent, peer) ?? NO_PAIR_COUNTS),
    ]),
  );
}

/**
 * The figures of the method's reference for one agent. The same names whichever peers were counted: one that was not
 * counts as nothing.
 */
export function referenceRates(
  { method, agents }: Run,
  agent: AgentName,
  own: AgentCounts,
  peers: readonly Peer[],
): Rates {
  const all = agents.filter(({ name }) => name !== agent);
  const known = new Map(peers.map((peer) => [peer.agent, peer.counts]));
  return compatRates(
    method,
    own,
    all.map(({ name }) => ({ agent: name, counts: known.get(name) ?? NO_PAIR_COUNTS })),
  );
}

/** Without a spread at the start there is nothing to be relative to. */
function relativeTo(start: number | null, { value, denominator }: Rate): Rate {
  const relative = value === null || start === null || start === 0 ? null : value / start;
  return { value: relative, numerator: null, denominator };
}
