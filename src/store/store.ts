import type { ArrivalContext, ArrivalOutcome, GroupArrival } from '../domain/arrival.ts';
import type { Bucket } from '../domain/bucket.ts';
import type { Decision, Skip } from '../domain/close.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import type { StepIncrement, Tally } from '../domain/diagnostics/tally.ts';
import type { Manifest } from '../domain/manifest.ts';
import type { StepTrail } from '../domain/step-trail.ts';
import type { Plans } from './plans.ts';
import type { Receipts } from './receipts.ts';
import type { SampleStore } from './sample-store.ts';

/** Names one bucket within a cohort. */
export interface BucketRef {
  readonly promptId: string;
  readonly round: number;
}

/** A bucket in which a connection holds rollouts; `round` null: every round of the prompt, where it is not known. */
export interface HeldRef {
  readonly promptId: string;
  readonly round: number | null;
}

/** What a submission id stands for: enough to answer it again on any replica. */
export interface SubmissionRecord {
  readonly agent: AgentName;
  readonly incarnation: string | null;
  /** Milliseconds of the server's clock. */
  readonly recordedAt: number;
  readonly groups: readonly SubmittedGroup[];
}

export interface SubmittedGroup extends BucketRef {
  /** Ids of the rollouts in the order sent; with `incarnation` they find the rollout in its group. */
  readonly rolloutIds: readonly string[];
  readonly incarnation: string | null;
}

/** What is known of an agent's trainer. Times are of the store's clock; null: never. */
export interface AgentActivity {
  readonly agent: AgentName;
  readonly incarnation: string | null;
  readonly finished: boolean;
  readonly lastArrivalAt: number | null;
  /** Rollouts stored, repeats not counted. */
  readonly rollouts: number;
  /** Latest prompts that the agent sent rollouts for or skipped, each once, newest last; bounded. */
  readonly recentPrompts: readonly BucketRef[];
  /** Where its trainer is by its own counter, and whether it went back. */
  readonly trail: StepTrail;
}

export type Registration =
  | { readonly kind: 'current' }
  /** First word of this incarnation: `previous` is the one it replaces, if any. */
  | { readonly kind: 'new'; readonly previous: string | null }
  /** A newer incarnation of this agent has been seen since. */
  | { readonly kind: 'stale'; readonly latest: string };

export type CohortPut =
  | 'created'
  | 'unchanged'
  | 'replaced'
  /** Buckets are open. */
  | 'in-use'
  /** Nothing more can be kept of what earlier settings paid, and it may be asked for again. */
  | 'changed-too-often';

/** Nothing of this group was stored. */
export type Refused =
  /** The cohort has no room for another open bucket. */
  | { readonly kind: 'full'; readonly limit: number }
  /** The caller left before it was, and rollouts without id of it may have come again by now. */
  | { readonly kind: 'left' }
  /** The cohort was deleted. */
  | { readonly kind: 'unknown-cohort' };

/** A group was decided, or an agent restarted. Only a hint to look again: it may be lost or repeated. */
export type Notice =
  | { readonly kind: 'decided'; readonly cohort: string; readonly ref: BucketRef }
  | {
      readonly kind: 'restarted';
      readonly cohort: string;
      readonly agent: AgentName;
      readonly incarnation: string;
    }
  | { readonly kind: 'deleted'; readonly cohort: string }
  /** Others may have been lost on their way here. */
  | { readonly kind: 'gap' };

/** Groups that the clock decided, to be counted once by whoever gets them. */
export interface DueDecision extends Decision {
  readonly cohort: string;
}

/** The figures of one step; where a trainer sends none, the steps are 0, 100, 200, … groups or prompts. */
export interface StepDiagnostics {
  readonly step: number;
  readonly tally: Tally;
}

/** Steps to read, both bounds included; at most `most` of them, the highest. */
export interface StepRange {
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

export interface DiagnosticsRead {
  /** In order of their steps. */
  readonly steps: readonly StepDiagnostics[];
  /** Steps of the range that were left out, lower than those read. */
  readonly earlier: number;
  /** The lowest step that is kept at all; null where there is none. */
  readonly first: StepDiagnostics | null;
}

/**
 * What every replica shares. Each change of one prompt is atomic and may be repeated without effect, so
 * that callers retry freely; a batch is not atomic as a whole. What a method resolved with is stored.
 * Rejections mean that the store is unreachable; expected outcomes are values.
 */
export interface Store {
  readonly kind: string;
  readonly samples: SampleStore;
  readonly receipts: Receipts;
  readonly plans: Plans;

  /**
   * Creates or replaces a cohort, and numbers its `edition`. Buckets that have begun keep the settings that they began
   * under, so only one whose buckets are all decided can be replaced.
   */
  putCohort(cohort: Cohort): Promise<CohortPut>;
  /**
   * Null: it was never there, or was deleted. One that the store lost, as when Redis was restarted empty, is put back first;
   * `store_unavailable` where that does not work yet.
   */
  getCohort(name: string): Promise<Cohort | null>;
  /** All cohorts, by name. */
  listCohorts(): Promise<readonly Cohort[]>;
  /** Frees everything the cohort held. False when there was none. */
  deleteCohort(name: string): Promise<boolean>;

  /**
   * Tells which incarnation speaks; a new one un-finishes the agent and outdates the earlier ones. A null one un-finishes an
   * agent that never named any, since it has no other way to come back.
   */
  register(cohort: string, agent: AgentName, incarnation: string | null): Promise<Registration>;
  /**
   * Takes groups of one agent, each for itself: outcomes in the order of `arrivals`. `context.holder` names
   * the connection; to repeat a call is to send the same arrivals in the same order. `gone` aborts when the caller leaves.
   */
  submit(
    cohort: Cohort,
    context: Omit<ArrivalContext, 'finished'>,
    arrivals: readonly GroupArrival[],
    gone?: AbortSignal | null,
  ): Promise<readonly (ArrivalOutcome | Refused)[]>;
  /** Marks connection `holder` as gone, unanswered, for these buckets of the agent. */
  release(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void>;
  /**
   * Marks connection `holder` as answered for these buckets of the agent: nobody takes up what it held, not even when its
   * replica is gone. `release` and `hold` change nothing of it any more.
   */
  answer(cohort: string, agent: AgentName, holder: string, held: readonly HeldRef[]): Promise<void>;
  /** Connection `holder` asks for released rollouts without id again: undoes `release` for it. */
  hold(cohort: string, agent: AgentName, holder: string, groups: readonly SubmittedGroup[]): Promise<void>;
  /**
   * Decides the agent's groups of these prompts with what they have; tells the round of each. The latest
   * registered incarnation counts as the one that skips.
   */
  skip(
    cohort: Cohort,
    agent: AgentName,
    skips: readonly Skip[],
  ): Promise<readonly { readonly ref: BucketRef; readonly decision: Decision | null }[]>;
  /** The agent sends no more: its groups, open ones and those opened later, are decided with what they have. */
  finish(cohort: Cohort, agent: AgentName): Promise<readonly Decision[]>;
  /** Decides those groups of the agent that are open and have just `size` rollouts: no more will come for them. */
  endShort(
    cohort: Cohort,
    agent: AgentName,
    refs: readonly BucketRef[],
    size: number,
  ): Promise<readonly Decision[]>;
  /** Decides what is due by grace or deadline, each group once across replicas, and drops what has expired. */
  closeDue(): Promise<readonly DueDecision[]>;

  /** Current buckets, null for those unknown or expired, in the order of `refs`. */
  readBuckets(cohort: string, refs: readonly BucketRef[]): Promise<readonly (Bucket | null)[]>;
  /** Buckets with an undecided group, oldest first, at most `limit`. */
  listOpenBuckets(cohort: string, limit: number): Promise<readonly Bucket[]>;
  countOpenBuckets(cohort: string): Promise<number>;
  /** Every round kept of one prompt, ascending. */
  readPrompt(cohort: string, promptId: string): Promise<readonly Bucket[]>;
  /** One entry per agent of the cohort, in its order. */
  readActivity(cohort: Cohort): Promise<readonly AgentActivity[]>;

  /** Remembers a submission for the cohort's retention. */
  putSubmission(cohort: Cohort, id: string, record: SubmissionRecord): Promise<void>;
  getSubmission(cohort: string, agent: AgentName, id: string): Promise<SubmissionRecord | null>;

  /** Keeps the manifest until it is replaced or its cohort deleted; null forgets it. Does nothing without such a cohort. */
  putManifest(cohort: string, manifest: Manifest | null): Promise<void>;
  /** The manifest; `unchanged` when the caller knows this version already; null when there is none. */
  getManifest(cohort: string, knownVersion: string | null): Promise<Manifest | 'unchanged' | null>;
  /**
   * Adds to the figures of a cohort; nothing without such a cohort. Not to be repeated: twice is added twice. The
   * highest steps are kept (`stepsKept`), all of them for a month after the last addition.
   */
  addDiagnostics(cohort: string, increments: readonly StepIncrement[]): Promise<void>;
  readDiagnostics(cohort: string, range: StepRange): Promise<DiagnosticsRead>;

  /** A name for a connection of this process, for `holder`, from one that is unique in the process. */
  nameHolder(connection: string): string;

  /**
   * Another replica has to know which connections of this process have ended: `listener` resolves once the store was told
   * of all of them. A store without replicas never asks.
   */
  onInquiry(listener: () => Promise<void>): void;

  /** Calls `listener` on every notice from now on, on this replica's own changes too. Returns the way out. */
  subscribe(listener: (notice: Notice) => void): () => void;
  /** Resolves if the store would take changes now, with what is wrong all the same, as sentences. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
