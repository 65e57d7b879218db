import type { AgentName } from '../domain/cohort.ts';
import type { JudgementStatus } from '../methods/method.ts';

/** One student's group once it and all its teachers are decided: counted exactly once. */
export interface SettledGroup {
  readonly cohort: string;
  readonly agent: AgentName;
  readonly status: JudgementStatus;
  /** Rewards of the rollouts that had a vote; null ones left out. */
  readonly rewards: readonly number[];
  readonly rollouts: number;
  /** Rollouts with an answer. */
  readonly answered: number;
  readonly truncated: number;
  /** Sum over rollouts that said how long they are, and how many did. */
  readonly tokens: { readonly sum: number; readonly count: number };
  /** Whether the agent's own label equals the truth; null when unlabeled or without truth. */
  readonly labelCorrect: boolean | null;
  /** Whether the label that the rewards rest on equals the truth; null without one of them. */
  readonly usedLabelCorrect: boolean | null;
  readonly labeled: boolean;
  readonly tied: boolean;
  readonly unanimous: boolean;
}

/** `both_wrong_same`: both give the same wrong answer, which neither learns better from the other. */
export type PairOutcome = 'both_right' | 'agent_right' | 'peer_right' | 'both_wrong_same' | 'both_wrong';

export type WaitOutcome = 'decided' | 'pending' | 'aborted' | 'drained';

/** What the service tells of itself. Implemented by the metrics; every call is quick and never throws. */
export interface Telemetry {
  groupSettled(group: SettledGroup): void;
  /** Both agents' groups of one bucket have a label: do they say the same? `agent` is first in the cohort. */
  pairCompared(pair: {
    cohort: string;
    agent: AgentName;
    peer: AgentName;
    agree: boolean;
    /** Labels of the two on different prompts: how many were compared, and how many are the same. */
    chance: { readonly compared: number; readonly same: number };
  }): void;
  /** How diverse an agent's latest labels are. */
  labelsLookedAt(look: { cohort: string; agent: AgentName; commonest: number; distinct: number }): void;
  /** The truth of their prompt is known: which of the two labels equal it? A missing label is wrong. */
  pairGraded(pair: { cohort: string; agent: AgentName; peer: AgentName; outcome: PairOutcome }): void;
  /** A request left the barrier after `ms`. */
  waited(wait: { cohort: string; agent: AgentName; outcome: WaitOutcome; ms: number }): void;
  /** Rollouts received to be stored; a repeat counts again. */
  stored(rollouts: { cohort: string; agent: AgentName; split: 'train' | 'eval'; count: number }): void;
  /** Rollouts of evaluation that were graded; a repeat counts again. */
  evaluated(rollouts: { cohort: string; agent: AgentName; right: number; wrong: number }): void;
  /** Groups received whose ground truth does not read as an answer; a repeat counts again. */
  truthsUnread(truths: { cohort: string; agent: AgentName; count: number }): void;
  /** Groups stored whose ground truth contradicts the one that came first; a repeat counts again. */
  truthsDisputed(truths: { cohort: string; agent: AgentName; count: number }): void;
  groupClosed(group: { cohort: string; agent: AgentName; state: string; cause: string }): void;
  /** A plan gave the agent another teacher than it had. */
  teacherChanged(change: { cohort: string; agent: AgentName }): void;
  /** A cohort was deleted: its series go. */
  forget(cohort: string): Promise<void>;
}

export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
