/** What a rollout does in a discussion of several agents (method `comas`). */
export const PARTS = ['solver', 'evaluator', 'scorer'] as const;
export type Part = (typeof PARTS)[number];

/** The fault of a rollout that holds nothing to judge: its own doing, unlike every other. */
export const NOTHING_TO_JUDGE = 'There is no completion to judge.';

/**
 * What a trainer, a judge or the sandbox says of one rollout beside its answer. Every number is finite.
 * Stored with the rollout when it is new; a retry never changes it, so that a reward stays what it was.
 */
export interface Signals {
  /** Mean entropy of its tokens in nats, >= 0. */
  readonly entropy?: number;
  /** Mean KL(U‖p) of its tokens in nats, >= 0. */
  readonly selfCertainty?: number;
  /** Sum of the peer's log-probabilities of its tokens. */
  readonly peerLogprob?: number;
  /** What a verifier, a judge or a test run gave it. */
  readonly score?: number;
  /** Why there is no score, as a sentence of at most 200 characters. */
  readonly fault?: string;
  /** Links the rollouts of one discussion, across agents; at most 200 characters. */
  readonly interaction?: string;
  readonly part?: Part;
  /** The verdict of a scorer; absent when its text has none. */
  readonly tau?: 1 | 2 | 3;
  /** Place in a discussion of several turns, from 0. */
  readonly turn?: number;
  /** How unlike the group's other answers its reasoning is, 0 to 1, as the trainer computed it from embeddings. */
  readonly novelty?: number;
  /** Whether a program with these outputs passed the tests, 1 or 0, where outputs vote: for figures, never for a reward. */
  readonly passed?: number;
}
