import type { Bell } from '../../domain/reward-rules.ts';
import type { Shares } from './shares.ts';

/** How much a consensus of share `f` counts, in (0, 1]. */
export function bellOf(f: number, { center, width }: Bell): number {
  return Math.exp(-((f - center) ** 2) / (2 * width * width));
}

/**
 * RESTRAIN's pseudo-label weights (arXiv 2510.02172): every answer of the group is a pseudo-label j with weight
 * g(f_j) over the sum of them, and the reward of an answer is its weight. They sum to 1; empty without answers.
 * The bell's parameters are not published: the defaults are assumed.
 */
export function restrainWeights({ of }: Pick<Shares, 'of'>, bell: Bell): ReadonlyMap<string, number> {
  const bells = [...of].map(([key, share]) => [key, bellOf(share, bell)] as const);
  const total = bells.reduce((sum, [, value]) => sum + value, 0);
  // A bell so narrow that nothing is under it weighs nothing.
  return new Map(bells.map(([key, value]) => [key, total === 0 ? 0 : value / total]));
}
