import type { Ratio, Ratios } from './ratios.ts';

/** What is kept of a completion's length. `tokens` is null where the trainer did not say. */
export interface CompletionLength {
  readonly tokens: number | null;
  readonly truncated: boolean;
}

/**
 * Completion lengths in tokens, by TRL's definitions: `clipped_ratio` is truncated completions of all, and
 * the terminated mean is of those that ended by themselves.
 */
export function countCompletions(completions: readonly CompletionLength[]): Ratios {
  const clipped = completions.filter(({ truncated }) => truncated).length;
  return new Map([
    ['completions/mean_length', lengthOf(completions)],
    ['completions/mean_terminated_length', lengthOf(completions.filter(({ truncated }) => !truncated))],
    ['completions/clipped_ratio', { numerator: clipped, denominator: completions.length }],
  ]);
}

function lengthOf(completions: readonly CompletionLength[]): Ratio {
  const known = completions.flatMap(({ tokens }) => tokens ?? []);
  return { numerator: known.reduce((a, b) => a + b, 0), denominator: known.length };
}
