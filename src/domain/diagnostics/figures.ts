import type { AgentName, Cohort } from '../cohort.ts';
import { compatRates } from './compat-rates.ts';
import { type AgentCounts, NO_AGENT_COUNTS, NO_PAIR_COUNTS } from './counters.ts';
import { AGENT_RATES, PAIR_RATES, type Rate, type Rates, rateOf } from './rates.ts';
import { Tally } from './tally.ts';

type Run = Pick<Cohort, 'method' | 'agents'>;

/** Figures of an agent or a pair. */
export interface Figures {
  readonly names: readonly string[];
  /** All of them, in the order of `names`. */
  readonly read: (tally: Tally) => Rates;
}

/** Names of figures; null for all that there are. */
export type Wanted = ReadonlySet<string> | null;

/**
 * The figures of one agent: ours, then those of the method's reference. `first` are its counts at its first step, which
 * `reward_std_normalized` is relative to (Co-RL, Fig. 4b).
 */
export function agentFigures(cohort: Run, agent: AgentName, first: AgentCounts, wanted: Wanted): Figures {
  const start = AGENT_RATES.reward_std_within_pop(first).value;
  const own = Object.entries({
    ...AGENT_RATES,
    reward_std_normalized: (counts: AgentCounts) =>
      relativeTo(start, AGENT_RATES.reward_std_within_pop(counts)),
  }).filter(([name]) => wanted?.has(name) ?? true);
  const reference = [...referenceRates(cohort, agent, new Tally()).keys()].filter(
    (name) => wanted?.has(name) ?? true,
  );
  const read = (tally: Tally): Rates => {
    const counts = tally.agent(agent) ?? NO_AGENT_COUNTS;
    const rates = new Map(own.map(([name, rate]) => [name, rate(counts)]));
    if (reference.length === 0) return rates;
    const known = referenceRates(cohort, agent, tally);
    for (const name of reference) rates.set(name, known.get(name) ?? rateOf(0, 0));
    return rates;
  };
  return { names: [...own.map(([name]) => name), ...reference], read };
}

/** The figures of two agents, `agent` being the one that is first in the cohort. */
export function pairFigures(agent: AgentName, peer: AgentName, wanted: Wanted): Figures {
  const own = Object.entries(PAIR_RATES).filter(([name]) => wanted?.has(name) ?? true);
  return {
    names: own.map(([name]) => name),
    read: (tally) => {
      const counts = tally.pair(agent, peer) ?? NO_PAIR_COUNTS;
      return new Map(own.map(([name, rate]) => [name, rate(counts)]));
    },
  };
}

/**
 * The figures of the method's reference for one agent. The same names whichever peers were counted: one that was not
 * counts as nothing.
 */
export function referenceRates({ method, agents }: Run, agent: AgentName, tally: Tally): Rates {
  const peers = agents.filter(({ name }) => name !== agent);
  return compatRates(
    method,
    tally.agent(agent) ?? NO_AGENT_COUNTS,
    peers.map(({ name }) => ({ agent: name, counts: tally.pair(agent, name) ?? NO_PAIR_COUNTS })),
  );
}

/** Without a spread at the start there is nothing to be relative to. */
function relativeTo(start: number | null, { value, denominator }: Rate): Rate {
  const relative = value === null || start === null || start === 0 ? null : value / start;
  return { value: relative, numerator: null, denominator };
}
