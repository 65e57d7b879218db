import type { AgentName } from '../cohort.ts';
import {
  type AgentCounts,
  addAgentCounts,
  addPairCounts,
  type Mutable,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  type PairCounts,
  swapPair,
} from './counters.ts';

/**
 * What is added to the figures of an agent, or of two: `first` comes before `second` in the cohort. Counts that are
 * left out are nothing.
 */
export type Increment =
  | { readonly kind: 'agent'; readonly agent: AgentName; readonly counts: Partial<AgentCounts> }
  | {
      readonly kind: 'pair';
      readonly first: AgentName;
      readonly second: AgentName;
      readonly counts: Partial<PairCounts>;
    };

type Held =
  | { readonly kind: 'agent'; readonly agent: AgentName; readonly counts: Mutable<AgentCounts> }
  | {
      readonly kind: 'pair';
      readonly first: AgentName;
      readonly second: AgentName;
      readonly counts: Mutable<PairCounts>;
    };

/** An increment and the step of the trainer that it belongs to; null where the trainer sends none. */
export type StepIncrement = Increment & { readonly step: number | null };

/** Where a trainer sends no step, a step is this many groups of an agent, or prompts of a pair. */
export const GROUPS_PER_STEP = 100;

/** Figures are kept this long after the last addition to their cohort: a month. */
export const DIAGNOSTICS_TTL_MS = 30 * 86_400_000;

const MOST_STEPS = 10_000;
const FEWEST_STEPS = 100;
const MOST_RECORDS = 100_000;

/** How many steps are kept of a cohort of so many agents: the highest ones, fewer where there are many pairs. */
export function stepsKept(agents: number): number {
  const records = agents + (agents * (agents - 1)) / 2;
  return Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, Math.floor(MOST_RECORDS / records)));
}

/** How many groups or prompts an increment stands for. */
export function weightOf(increment: Increment): number {
  return (increment.kind === 'agent' ? increment.counts.groups : increment.counts.compared) ?? 0;
}

/** Names what an increment is added to; no name of an agent holds a space. */
export function scopeOf(increment: Increment): string {
  return increment.kind === 'agent' ? increment.agent : `${increment.first} ${increment.second}`;
}

/** Sums of increments by agent and by pair, of one step or of many. It changes with what is added. */
export class Tally {
  readonly #held = new Map<string, Held>();

  add(increment: Increment): void {
    const scope = scopeOf(increment);
    const known = this.#held.get(scope);
    if (increment.kind === 'agent') {
      const held = known?.kind === 'agent' ? known : { ...increment, counts: { ...NO_AGENT_COUNTS } };
      addAgentCounts(held.counts, increment.counts);
      if (held !== known) this.#held.set(scope, held);
    } else {
      const held = known?.kind === 'pair' ? known : { ...increment, counts: { ...NO_PAIR_COUNTS } };
      addPairCounts(held.counts, increment.counts);
      if (held !== known) this.#held.set(scope, held);
    }
  }

  addAll(other: Tally): void {
    for (const increment of other.increments) this.add(increment);
  }

  /** All that it holds; what is added later changes them. */
  get increments(): readonly Increment[] {
    return [...this.#held.values()];
  }

  get size(): number {
    return this.#held.size;
  }

  /** What was counted of an agent; null where nothing was. */
  agent(name: AgentName): AgentCounts | null {
    const found = this.#held.get(name);
    return found?.kind === 'agent' ? found.counts : null;
  }

  /** What was counted of both, `first` being the first of them; null where nothing was. */
  pair(first: AgentName, second: AgentName): PairCounts | null {
    const found = this.#held.get(`${first} ${second}`);
    if (found?.kind === 'pair') return found.counts;
    const swapped = this.#held.get(`${second} ${first}`);
    return swapped?.kind === 'pair' ? swapPair(swapped.counts) : null;
  }
}
