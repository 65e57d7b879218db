export const VOTE_WEIGHTINGS = ['none', 'self-consistency', 'harmonic', 'dawid-skene'] as const;

/**
 * How the answers of several agents count in their one label. Pooled rollouts: `self-consistency` (RLCCF) by how much each
 * agent agrees with itself, `harmonic` (Self-Harmony) by the harmonic mean of the agents' shares. Merged labels:
 * `dawid-skene` by how reliable each agent has been.
 */
export type VoteWeighting = (typeof VOTE_WEIGHTINGS)[number];
