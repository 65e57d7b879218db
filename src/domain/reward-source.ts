/** Where a reward came from; said in every response, so that a leak of the truth would show. */
export const REWARD_SOURCES = [
  'peer-vote',
  'self-vote',
  /** What the peer thinks of the text, as the trainer measured it. */
  'peer-logprob',
  'ground-truth',
  /** The vote over another text of the same problem, or of a slow copy of the policy. */
  'other-view',
  'ema-teacher',
  /** What the trainer measured of its own policy. */
  'entropy',
  'self-certainty',
  /** The word of a scorer among the agents, of a verifier, of a language model. */
  'scorer',
  'verifier',
  'judge',
  /** Spurious on purpose. */
  'control',
  /** There is no reward, or the one of unlabeled groups. */
  'none',
] as const;

export type RewardSource = (typeof REWARD_SOURCES)[number];
