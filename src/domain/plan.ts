import type { AgentName } from './cohort.ts';

/**
 * What a cohort has come to think of its agents. Made now and then from the latest labels, once for all replicas; a
 * bucket goes by the plan that it was opened under, for ever.
 */
export interface Plan {
  /** 1 for the first. */
  readonly version: number;
  /** Label rows that had been noted when it was made. */
  readonly rows: number;
  /** Estimated probability that an agent's label is right, 0 to 1, for every agent of the cohort. */
  readonly reliability: Readonly<Record<AgentName, number>>;
}

/**
 * Who agrees with whom on one decided bucket: agents with the same label have the same number, and one without a label
 * is missing. What the labels are does not matter, and takes room.
 */
export interface LabelRow {
  readonly promptId: string;
  readonly round: number;
  readonly sides: Readonly<Record<AgentName, number>>;
}

/** How reliabilities are estimated, for cohorts that go by them. */
export interface ReliabilityRules {
  /** Decided buckets after which a new plan is made. */
  readonly every: number;
  /** Latest decided buckets that it is made from. */
  readonly window: number;
  /** How many answers a prompt is taken to have, at least 2. */
  readonly classes: number;
  /** Beta prior of an agent's accuracy; both at least 1. */
  readonly prior: readonly [alpha: number, beta: number];
}

export const DEFAULT_RELIABILITY_RULES: ReliabilityRules = {
  every: 50,
  window: 500,
  classes: 10,
  prior: [4, 2],
};

/** What the plan says of this agent; null without a plan, or where it was made for other agents. */
export function reliabilityOf(plan: Plan | null, agent: AgentName): number | null {
  // Own keys only: an agent may be called `constructor`.
  return plan !== null && Object.hasOwn(plan.reliability, agent) ? (plan.reliability[agent] ?? null) : null;
}
