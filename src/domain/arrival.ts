import type { Bucket, Truth } from './bucket.ts';
import type { CallVisit } from './call-visits.ts';
import type { Agent, AgentName, Cohort, Member } from './cohort.ts';
import type { Plan } from './plan.ts';
import type { PromptState } from './prompt-state.ts';
import type { Asking } from './proves-another.ts';
import type { Signals } from './signals.ts';

/** A rollout as it arrives. `id` is null when the client sent neither id nor index. */
export interface NewRollout {
  readonly id: string | null;
  readonly index: number | null;
  readonly answer: string | null;
  readonly key: string | null;
  readonly digest: string;
  readonly tokens: number | null;
  readonly truncated: boolean;
  readonly signals: Signals | null;
}

/** Part or all of one agent's group for one prompt. `round` null: the store counts the visits. */
export interface GroupArrival {
  readonly promptId: string;
  readonly round: number | null;
  readonly truth: Truth | null;
  readonly rollouts: readonly NewRollout[];
  /** Least pauses of the client between tries, see `Asking`; left out where they are not known or ids come along. */
  readonly pausesMs?: readonly number[];
  /** Where the call that it comes with has an equal group. */
  readonly visit?: CallVisit;
}

/** An arrival at the moment when the store takes it. */
export interface TimedArrival extends GroupArrival {
  readonly asking?: Asking;
}

/** Whom an agent waits for, and who waits for it. */
export interface Relations {
  /** Agents whose groups this agent waits for; may be the agent itself. */
  readonly teachers: readonly Agent[];
  /** Agents that wait for this one. */
  readonly students: readonly AgentName[];
}

/** Who sends, and what its method makes of it: the same for every group of a submission. */
export interface ArrivalContext extends Member {
  readonly incarnation: string | null;
  readonly step: number | null;
  /** Names the connection that waits; rollouts without id are tied to it, see `holderAt`. */
  readonly holder: string;
  /** Who waits for whom in a bucket of this plan, which may not be the latest one, and where these are `goneFrom` it. */
  readonly relationsOf: (member: Member, plan: Plan | null, gone?: ReadonlySet<AgentName>) => Relations;
  /** The plan for buckets that begin with this arrival. */
  readonly plan: Plan | null;
  /** Rewards may come from the truth, so that two of them cannot both stand. */
  readonly paysByTruth: (cohort: Cohort) => boolean;
  /** Agents that have left for good: their groups are decided as soon as they are opened. */
  readonly finished: ReadonlySet<AgentName>;
}

/** Where a rollout went: its id in the group, and the incarnation it belongs to. */
export interface Slot {
  readonly id: string;
  readonly incarnation: string | null;
}

export type ArrivalOutcome =
  | {
      readonly kind: 'stored';
      readonly bucket: Bucket;
      /** One per rollout sent, in the order sent. */
      readonly slots: readonly Slot[];
      /** Rollouts that were not known before. */
      readonly added: number;
      /** Groups that this arrival decided. */
      readonly decided: readonly AgentName[];
      /** The truth that it came with contradicts the one that is kept. */
      readonly dispute?: TruthDispute;
    }
  /** Same rollout id, other text: nothing of this group was stored. */
  | { readonly kind: 'rollout-conflict'; readonly rolloutId: string; readonly round: number }
  /** The group has as many rollouts as one may hold, late ones included: nothing of this group was stored. */
  | { readonly kind: 'overfull'; readonly limit: number; readonly round: number }
  /** The rounds that may be kept of the prompt are taken: nothing of this group was stored. */
  | {
      readonly kind: 'too-many-rounds';
      readonly promptId: string;
      readonly limit: number;
      readonly round: number;
    }
  /** The prompt id already names a problem with another ground truth: nothing of this group was stored. */
  | {
      readonly kind: 'truth-conflict';
      readonly stored: string;
      readonly sent: string;
      readonly round: number;
    };

/** Two ground truths of one prompt. */
export interface TruthDispute {
  readonly stored: string;
  readonly sent: string;
}

export interface Arrived {
  readonly prompt: PromptState;
  readonly outcome: ArrivalOutcome;
}

/** Whether rollouts of an arrival can be told from their retry by their text alone. */
export function isAnonymous({ rollouts }: GroupArrival): boolean {
  return rollouts.some(({ id }) => id === null);
}
