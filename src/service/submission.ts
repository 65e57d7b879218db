import type { ExtractionMode, Fallback } from '../answers/modes.ts';
import type { ReasoningPolicy } from '../answers/reasoning-policy.ts';
import type { GroundTruth } from '../domain/bucket.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import type { AgentCounts, PairCounts } from '../domain/diagnostics/counters.ts';
import type { RewardSource } from '../domain/reward-source.ts';
import type { Signals } from '../domain/signals.ts';
import type { BucketRef, SubmittedGroup } from '../store/store.ts';

/** One rollout as a protocol hands it over. */
export interface RolloutInput {
  readonly id: string | null;
  readonly index: number | null;
  /**
   * `completion`: the answer is taken from it. `given`: it was taken already (null: there is none).
   * `unreadable`: the completion cannot be told from its prompt, so it has no answer.
   */
  readonly content:
    | { readonly kind: 'completion'; readonly text: string }
    | { readonly kind: 'given'; readonly answer: string | null }
    | { readonly kind: 'unreadable'; readonly text: string };
  readonly tokens: number | null;
  readonly truncated: boolean;
  /** What the trainer said of it beside its text, if anything. */
  readonly signals?: Signals;
  /** What it measured of each token, or as a mean, and is checked and reduced with the answer. */
  readonly measures?: Partial<Readonly<Record<MeasureName, Measure>>>;
}

/** Signals that are means over tokens. */
export type MeasureName = 'entropy' | 'selfCertainty';

/** `none`: the trainer says that there is no token to take a mean of. `mask`: which tokens count; null: all. */
export type Measure =
  | { readonly kind: 'none' }
  | { readonly kind: 'mean'; readonly mean: number }
  | {
      readonly kind: 'tokens';
      readonly values: readonly number[];
      readonly mask: readonly (number | boolean)[] | null;
    };

/** How the programs of a code problem are run. At least one of `inputs`, `testCode` and `stdin` says what to run. */
export interface CodeTask {
  /** The function that is asked for; null: the one that the tests call most. */
  readonly entryPoint: string | null;
  /** Arguments of the calls whose outputs vote: arrays, `{args, kwargs}`, or argument lists as Python text. */
  readonly inputs: readonly unknown[] | null;
  /** Python with asserts, test functions or `check(candidate)`. */
  readonly testCode: string | null;
  /** The program reads and prints these, and has no function that is called; absent: it has. */
  readonly stdin?: readonly StdinCase[];
}

/** One run of a program that reads stdin. */
export interface StdinCase {
  readonly input: string;
  /** What it should print; null: not known, so that nothing is graded by it. */
  readonly output: string | null;
}

/** Whether tests, or outputs that are known, say which programs are right. */
export function hasTests(code: CodeTask | undefined): boolean {
  return code?.testCode != null || code?.stdin?.some(({ output }) => output !== null) === true;
}

export interface GroupInput {
  readonly promptId: string;
  readonly round: number | null;
  readonly groundTruth: GroundTruth | null;
  /** Why a truth that came is none to grade by, as what is said of it: "is an object". Then `groundTruth` is null. */
  readonly truthFault?: string;
  /** Overrides the cohort's extraction mode for this prompt. */
  readonly mode: ExtractionMode | null;
  /** Overrides what the cohort says of reasoning, for this prompt. */
  readonly reasoning?: ReasoningPolicy;
  /** The prompt as the model got it: it may open reasoning. Null or absent where it was not sent. */
  readonly prompt?: string | null;
  /** Overrides the cohort's fallback of mode auto for this prompt. */
  readonly fallback?: Fallback;
  /** Texts of the options A, B, …, so that an answer may echo one of them; null where they were not sent. */
  readonly choices: readonly string[] | null;
  /** Text of the problem, for a judge; null where it was not sent. */
  readonly problem: string | null;
  /** In mode `code`: absent where programs are only compared as text. */
  readonly code?: CodeTask;
  /** `eval` is graded against the truth at once and touches no bucket. */
  readonly split: 'train' | 'eval';
  readonly rollouts: readonly RolloutInput[];
}

export interface SubmissionInput {
  readonly cohort: string;
  readonly agent: string;
  /** Null: the service makes one. Rollouts without id or index are tied to it. */
  readonly submissionId: string | null;
  readonly incarnation: string | null;
  readonly step: number | null;
  readonly groups: readonly GroupInput[];
  /** False: its protocol has no place for signals, so that methods which need some cannot be served. */
  readonly carriesSignals?: boolean;
  /** False: its protocol has no place for the reward null. */
  readonly carriesNull?: boolean;
  /** False: its protocol does not tell the caller the id, so nobody will ask for the submission again. */
  readonly recallable?: boolean;
  /** Least pauses of the client between tries, where its rollouts come without ids. */
  readonly pausesMs?: readonly number[];
}

export type GroupStatus = 'scored' | 'unlabeled' | 'expired' | 'skipped' | 'eval';

export interface RolloutResult {
  /** The id that was sent, or the one that the server gave. */
  readonly id: string;
  readonly reward: number | null;
  /** What stands in for a missing reward where a protocol knows no null; absent: 0. */
  readonly standIn?: number;
  /** Why it has no reward although its group is scored, as a sentence; null where it has one. */
  readonly reason?: string | null;
  readonly answer: string | null;
  /** Whether the answer equals the ground truth: for people, never for the reward. Null without truth. */
  readonly correct: boolean | null;
  /** Came after its group was decided: scored, without a vote. */
  readonly late: boolean;
}

export interface GroupResult {
  readonly promptId: string;
  /** Null for eval, which belongs to no round. */
  readonly round: number | null;
  readonly status: GroupStatus;
  readonly label: string | null;
  readonly labelShare: number | null;
  /** Whether the label equals the ground truth: for people, never for the reward. Null without either. */
  readonly labelCorrect: boolean | null;
  /** Whether the agent's own vote equals the label; null without either, or while its own group is open. */
  readonly agrees: boolean | null;
  readonly teachers: readonly string[];
  readonly rewardSource: RewardSource;
  readonly staleness: number;
  readonly reason: string | null;
  /** Factor that the cohort's reward rules put on all rewards of the group; absent: 1. */
  readonly rewardWeight?: number;
  /** What the trainer adds to every advantage of the group; absent: 0. */
  readonly advantageOffset?: number;
  /** Co-rewarding-II: a(s) of the group's training step, if both are known. */
  readonly emaCoefficient?: number | null;
  /** In the order sent. */
  readonly rollouts: readonly RolloutResult[];
  /** What the labels of the whole group count; null for eval. */
  readonly counts: GroupCounts | null;
}

export interface GroupCounts {
  /** False: the agent is answered before its own group is full, and the counts are of its vote so far. */
  readonly decided: boolean;
  /** To be added up. */
  readonly own: readonly Partial<AgentCounts>[];
  /** Of every other agent that is decided, the agent itself being the first of both. */
  readonly peers: readonly { readonly agent: AgentName; readonly counts: Partial<PairCounts> }[];
}

/** What is left of a submission once it is stored: small, and without a byte of the request. */
export interface Ticket {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly submissionId: string;
  readonly incarnation: string | null;
  readonly holder: string;
  readonly recordedAt: number;
  /** In the order sent: a stored group, or the finished result of an eval group. */
  readonly groups: readonly TicketGroup[];
  /** What the submission can be stored again from; null where the store does not lose it, or it is not known. */
  readonly repeat: { readonly step: number | null; readonly arrivals: string } | null;
}

export type TicketGroup =
  | { readonly kind: 'stored'; readonly group: SubmittedGroup }
  | { readonly kind: 'done'; readonly result: GroupResult };

/** A teacher's group that is still open. */
export interface WaitingFor extends BucketRef {
  readonly agent: string;
  readonly have: number;
  readonly need: number;
}

export type SubmissionResult =
  | {
      readonly kind: 'decided';
      readonly submissionId: string;
      readonly groups: readonly GroupResult[];
      readonly waitedMs: number;
    }
  | {
      readonly kind: 'pending';
      readonly submissionId: string;
      /** The first of them; `waitingForTotal` counts all. */
      readonly waitingFor: readonly WaitingFor[];
      readonly waitingForTotal: number;
      /** True when the wait was cut short because too many requests are held. */
      readonly crowded: boolean;
    };
