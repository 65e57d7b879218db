import type { FlipGateRules } from '../../domain/reward-rules.ts';

/** A teacher's label, and the one it had for the same prompt at its previous decided round; null: none. */
export interface LabelPair {
  readonly now: string | null;
  readonly previous: string | null;
}

/**
 * Flip rate of a label that several teachers may have made: the share of those with a label both times for whom it
 * changed; 0 without any. With one teacher it is TTRL-Guard's FR, 0 or 1.
 */
export function flipRate(labels: readonly LabelPair[]): number {
  const known = labels.filter(({ now, previous }) => now !== null && previous !== null);
  if (known.length === 0) return 0;
  return known.filter(({ now, previous }) => now !== previous).length / known.length;
}

/**
 * The reward's weight under TTRL-Guard's flip-rate-aware scaling (linhxkkkk/TTRL-Guard, ttrl_utils.py): 1 - l1 FR, times
 * 1 - l2 where the label flipped although its share is high, and never below the floor. Its third term, for
 * labels that never flip, needs a longer history and is left out.
 */
export function flipWeight(rate: number, share: number, rules: FlipGateRules): number {
  const base = 1 - rules.flipPenalty * rate;
  const confident = rate > rules.tauFlip && share > rules.tauShare;
  return Math.max(rules.floor, confident ? base * (1 - rules.confidentPenalty) : base);
}
