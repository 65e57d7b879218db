import type { Decided } from './client.ts';

/** What the process of an agent is told. */
export interface AgentOrder {
  readonly name: string;
  /** Whose skills and habits it begins with: its own, or in a run with twins those of the first agent. */
  readonly startsAs: string;
  readonly url: string;
  /** It trains once in each, all at the same time. */
  readonly cohorts: readonly string[];
  readonly seed: number;
}

/** What it tells after each step: what it got from the server. */
export interface StepReport extends Decided {
  readonly agent: string;
  readonly cohort: string;
  /** From 1. */
  readonly step: number;
}
