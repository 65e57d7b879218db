import type { MethodOptions } from './method-options.ts';
import type { ReliabilityRules } from './plan.ts';
import type { RewardRules } from './reward-rules.ts';
import type { VoteWeighting } from './vote-weighting.ts';

/** Name of an agent: one policy with its own trainer. Unique in its cohort, case-sensitive. */
export type AgentName = string;

/** `learner` is rewarded; `teacher` only votes (a frozen or EMA model) and is never scored. */
export type Role = 'learner' | 'teacher';

/** Which of a problem's texts the agent sees; prompt ids are the same for every view. */
export type View = string;

export interface Agent {
  readonly name: AgentName;
  /** Rollouts per prompt, >= 1. */
  readonly k: number;
  readonly view: View;
  readonly role: Role;
}

export const METHOD_NAMES = [
  'co-rl',
  'ttrl',
  'ground-truth',
  'rent',
  'intuitor',
  'co-rewarding-i',
  'co-rewarding-ii',
  'comas',
  'maporl',
  'llm-judge',
  'random',
  'format',
  'inverted',
] as const;
export type MethodName = (typeof METHOD_NAMES)[number];

/** How several teachers' answers become one label. */
export type Aggregate = 'peer-majority' | 'pooled';

/** Which neighbour teaches an agent: the one before it (paper), or the one after it (reference code). */
export type RingDirection = 'predecessor' | 'successor';

/** How each agent's one teacher is chosen from the latest labels. */
export interface AdaptiveRules {
  /** The ring that teaches until there is enough to choose by. */
  readonly fallback: RingDirection;
  /** Prompts on which both have a label before one may be chosen to teach the other. */
  readonly minPrompts: number;
  /** Another teacher is taken when its gain is higher by more than this, 0 to 1. */
  readonly margin: number;
  /** Plans that a teacher stays for at least, once it was chosen. */
  readonly minDwell: number;
}

/** Who teaches whom under `co-rl`; other methods ignore it. */
export type Supervision =
  | { readonly kind: 'ring'; readonly direction: RingDirection }
  | ({ readonly kind: 'adaptive' } & AdaptiveRules)
  | { readonly kind: 'peer-majority' }
  | { readonly kind: 'pooled' }
  | {
      readonly kind: 'graph';
      readonly teachers: Readonly<Record<AgentName, readonly AgentName[]>>;
      readonly aggregate: Aggregate;
    };

export interface VoteRules {
  /** A label needs at least this share of the votes; 0 to 1, and a share equal to it is accepted. */
  readonly threshold: number;
  /** What the share is taken of: rollouts that have an answer, or all of the group. */
  readonly denominator: 'parseable' | 'all';
  /** Fewer answers than this leave the group unlabeled. */
  readonly minVotes: number;
  readonly tie: 'first' | 'discard' | 'random';
  /** Lets "no answer" stand for election, as PRIME-RL/TTRL does. Only to reproduce its runs. */
  readonly allowEmptyVote: boolean;
}

/** How answers are read. The answer engine knows what the names mean; the domain only carries them. */
export interface AnswerSettings {
  /** Extraction mode. */
  readonly mode: string;
  /** Mode `regex` only: the pattern whose last match is the answer; null otherwise. */
  readonly pattern: string | null;
  /** Who opens the reasoning before an answer; absent: as the prompt shows, where it is sent. */
  readonly reasoning?: string;
  /** What a text that announces no answer is still taken for; absent: nothing. Not for rewards. */
  readonly fallback?: string;
}

export interface BarrierRules {
  /** `sync` waits for the teachers' answers of the same round (the paper); `last-label` never waits. */
  readonly mode: 'sync' | 'last-label';
  /** `last-label` only: how many rounds old a label may be. */
  readonly maxStaleness: number;
  /** A group that is not full this long after it was opened is decided with what it has. */
  readonly deadlineMs: number;
  /** Rollouts that suffice to close a group early, or null: only a full group closes early. */
  readonly quorum: number | null;
  /** How long after its quorum a group still waits for the rest. */
  readonly graceMs: number;
}

export interface WatchdogRules {
  /** An awaited agent that has sent nothing for so long is reported as silent. */
  readonly silentAfterMs: number;
  /** A wait this old while nothing arrives is reported as a cycle. */
  readonly stalledAfterMs: number;
}

export interface CohortLimits {
  /** Buckets with an undecided group; more are refused with 503. */
  readonly openBuckets: number;
  /** Requests parked at the barrier; more are answered at once with what is known. */
  readonly heldRequests: number;
}

/** One training run: its agents, method, supervision, voting and answer settings. Validated. */
export interface Cohort {
  readonly name: string;
  /** Counts the settings that this cohort has had, 0 the first: the store says so when it takes them. */
  readonly edition: number;
  /** In ring order. */
  readonly agents: readonly Agent[];
  readonly method: MethodName;
  readonly options: MethodOptions;
  readonly supervision: Supervision;
  readonly vote: VoteRules;
  readonly weighting: VoteWeighting;
  /** Only read under weighting `dawid-skene`, supervision `adaptive`, or a `minPosterior` above 0. */
  readonly reliability: ReliabilityRules;
  /** Pools the agent's own rollouts with those of its peers. */
  readonly includeOwn: boolean;
  readonly reward: RewardRules;
  readonly answers: AnswerSettings;
  readonly barrier: BarrierRules;
  /** What an unlabeled, expired or skipped group is paid. */
  readonly unlabeledReward: 0 | null;
  /** An agent sees what others answered before its own answers are in; absent: only once they are. */
  readonly reveal?: 'always';
  /** The students of an agent that has finished learn from nobody; absent: a ring closes over those who remain. */
  readonly onFinish?: 'expire';
  /** How long a decided bucket stays readable, so that a retry gets the same reward. */
  readonly retentionMs: number;
  /** How long the visit counters and latest labels of a prompt outlive its last submission. */
  readonly promptRetentionMs: number;
  readonly watchdog: WatchdogRules;
  readonly limits: CohortLimits;
}

/** One agent of a cohort, by the settings that apply. */
export interface Member {
  readonly cohort: Cohort;
  readonly agent: Agent;
}

export function findAgent(cohort: Cohort, name: AgentName): Agent | undefined {
  return cohort.agents.find((agent) => agent.name === name);
}
