import type { Shares } from './shares.ts';

/**
 * Soft cross-agent reward: the share of the peer's rollouts that gave this answer, p_peer(a), 0 to 1; no answer
 * is paid 0. `naive_soft_reward` of the Co-RL authors' earlier co-grpo-dp (williamium3000/trl-projects).
 * Over the agent's own rollouts it is the reward of EMPO (arXiv 2504.05812).
 */
export function softCross(key: string | null, peer: Shares): number {
  return key === null ? 0 : (peer.of.get(key) ?? 0);
}
