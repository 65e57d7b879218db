/**
 * Why a worker of the sandbox was killed, or was found dead, and another took its place. `suspect`: it was asked for what no honest program
 * asks for; `canary`: it judged a known program wrongly; `start`: it has never been right.
 */
export const REPLACEMENT_REASONS = ['timeout', 'suspect', 'canary', 'crashed', 'start'] as const;

export type ReplacementReason = (typeof REPLACEMENT_REASONS)[number];
