import type { GroupState } from '../bucket.ts';
import type { AgentName, Cohort } from '../cohort.ts';
import type { AgentCounts, PairCounts } from '../diagnostics/counters.ts';
import type { StepTrail } from '../step-trail.ts';

/** One agent waits for another: on which prompts, and since when. */
export interface Wait {
  readonly student: AgentName;
  readonly teacher: AgentName;
  /** Oldest first. */
  readonly prompts: readonly AwaitedPrompt[];
}

export interface AwaitedPrompt {
  readonly promptId: string;
  readonly round: number;
  /** Milliseconds of the store's clock. */
  readonly since: number;
  /** Rollouts that the teacher has sent for it. */
  readonly have: number;
}

/** One prompt that an agent sent, as far as it tells why somebody waits. Times are of the store's clock. */
export interface Visit {
  readonly promptId: string;
  readonly round: number;
  readonly step: number | null;
  /** Rollouts of the agent, and how many were announced. */
  readonly size: number;
  readonly k: number;
  readonly state: GroupState;
  readonly openedAt: number;
  readonly decidedAt: number | null;
  /** When the last group that it waits for was decided; null while one is open. */
  readonly readyAt: number | null;
  /** The agent's group of the round before, if the same incarnation sent it. */
  readonly before: { readonly step: number | null; readonly decidedAt: number | null } | null;
  /** Other agents that sent rollouts for it, and how many different texts each has in common with this one. */
  readonly sentBy: ReadonlyMap<AgentName, SharedTexts>;
  /** Rollouts with an answer. */
  readonly answered: number;
}

/** Different texts of groups that have many, the fewer of both, and those that both sent. */
export type SharedTexts = Pick<PairCounts, 'texts' | 'sameTexts'>;

/** Figures of successive steps together. */
export interface Window<Counts> {
  readonly first: number;
  readonly last: number;
  readonly counts: Counts;
}

export interface AgentEvidence {
  readonly name: AgentName;
  readonly finished: boolean;
  /** It has a request that waits right now. */
  readonly parked: boolean;
  /** Its latest rollouts, or request of whatever kind; null: never. */
  readonly heardAt: number | null;
  readonly lastArrivalAt: number | null;
  readonly trail: StepTrail;
  /** The prompts that it sent last, newest last; empty where nobody waits for long. */
  readonly visits: readonly Visit[];
  /** Its figures, oldest first; the last window is how things are now. */
  readonly windows: readonly Window<AgentCounts>[];
  /** Groups in each of its latest steps that are over, where it sends steps. */
  readonly stepSizes: readonly number[];
}

export interface PairEvidence {
  /** In the order of the cohort. */
  readonly agents: readonly [AgentName, AgentName];
  readonly windows: readonly Window<PairCounts>[];
}

/** What a cohort shows: all that a verdict is made from. */
export interface Evidence {
  readonly cohort: Cohort;
  /** Milliseconds of the store's clock. */
  readonly now: number;
  /** In the order of the cohort. */
  readonly agents: readonly AgentEvidence[];
  /** Who waits for whom in the open buckets, by student and teacher in the order of the cohort. */
  readonly waits: readonly Wait[];
  readonly pairs: readonly PairEvidence[];
}
