import type { Shares } from './shares.ts';

/**
 * Scores of Self-Harmony's vote: the harmonic mean of an answer's shares over all views, so that an answer which
 * one view never gave scores 0. Two views: 2 p0 p1 / (p0 + p1). The label is the answer with the highest score
 * (formula from third-party notes on Self-Harmony).
 */
export function harmonicScores(views: readonly Pick<Shares, 'of'>[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { of } of views) {
    for (const key of of.keys()) {
      if (!scores.has(key)) scores.set(key, harmonicMean(views.map((view) => view.of.get(key) ?? 0)));
    }
  }
  return scores;
}

function harmonicMean(shares: readonly number[]): number {
  if (shares.includes(0)) return 0;
  return shares.length / shares.reduce((sum, share) => sum + 1 / share, 0);
}
