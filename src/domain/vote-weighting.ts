export const VOTE_WEIGHTINGS = ['none', 'self-consistency', 'harmonic'] as const;

/**
 * How pooled rollouts of several agents count in their one label: `self-consistency` (RLCCF) by how much each agent agrees
 * with itself, `harmonic` (Self-Harmony) by the harmonic mean of the agents' shares.
 */
export type VoteWeighting = (typeof VOTE_WEIGHTINGS)[number];
