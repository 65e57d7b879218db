import type { Disagreement } from '../../domain/reward-rules.ts';
import type { Shares } from './shares.ts';

/**
 * How much two groups disagree, 0 to 1 but for rounding; 1 when either has no answer. `top1`: 1 where the top
 * answers differ, else 1 - f_own f_peer. `tv`: half the sum of |p_own - p_peer|. `jsd`: Jensen-Shannon divergence over
 * ln 2. Rollouts without an answer count in the shares' denominator only, so that `tv` and `jsd` of shares
 * that sum to less than 1 are as in co-grpo-dp (williamium3000/trl-projects @2a676086).
 */
export function disagreementOf(own: Shares, peer: Shares, kind: Disagreement): number {
  if (own.top === null || peer.top === null) return 1;
  switch (kind) {
    case 'top1':
      return own.top === peer.top ? 1 - own.topShare * peer.topShare : 1;
    case 'tv':
      return sumOver(own, peer, (p, q) => Math.abs(p - q)) / 2;
    case 'jsd':
      return sumOver(own, peer, (p, q) => relative(p, (p + q) / 2) + relative(q, (p + q) / 2)) / 2 / Math.LN2;
  }
}

/** The disagreement as a weight of the reward: never below `min`, never above 1. */
export function disagreementWeight(own: Shares, peer: Shares, kind: Disagreement, min: number): number {
  return Math.min(1, Math.max(min, disagreementOf(own, peer, kind)));
}

function sumOver(own: Shares, peer: Shares, term: (p: number, q: number) => number): number {
  let sum = 0;
  for (const [key, p] of own.of) sum += term(p, peer.of.get(key) ?? 0);
  for (const [key, q] of peer.of) if (!own.of.has(key)) sum += term(0, q);
  return sum;
}

function relative(p: number, mixed: number): number {
  return p === 0 ? 0 : p * Math.log(p / mixed);
}
