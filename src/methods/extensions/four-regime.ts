import type { FourRegimeRules } from '../../domain/reward-rules.ts';
import type { Shares } from './shares.ts';

/** Why a rollout got its four-regime reward. */
export type Regime =
  | 'tied-top'
  | 'no-peer-answer'
  | 'confident-positive'
  | 'uncertain-majority'
  | 'strong-runner-up'
  | 'weak'
  | 'unseen';

/**
 * Four-regime reward: 1 for the peer's confident majority, 0 for an uncertain majority or a strong runner-up,
 * minus the penalty for anything rarer and for no answer; 0 for all where the peer's top is tied, before any
 * other test, or it has no answer. co-grpo-dp of the Co-RL authors (williamium3000/trl-projects @2a676086).
 */
export function fourRegime(
  key: string | null,
  peer: Shares,
  { tauHigh, tauMid, penalty }: FourRegimeRules,
): { readonly reward: number; readonly regime: Regime } {
  if (peer.tied) return { reward: 0, regime: 'tied-top' };
  if (peer.top === null) return { reward: 0, regime: 'no-peer-answer' };
  const share = key === null ? undefined : peer.of.get(key);
  if (share === undefined) return { reward: -penalty, regime: 'unseen' };
  if (key === peer.top) {
    return share >= tauHigh
      ? { reward: 1, regime: 'confident-positive' }
      : { reward: 0, regime: 'uncertain-majority' };
  }
  return share >= tauMid ? { reward: 0, regime: 'strong-runner-up' } : { reward: -penalty, regime: 'weak' };
}
