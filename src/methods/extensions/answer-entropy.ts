import type { Shares } from './shares.ts';

/**
 * Entropy of the answers of one group in nats: 0 when all agree, ln K when all differ. Rollouts without an
 * answer are one class of their own. EMPO (arXiv 2504.05812) trains only on prompts whose entropy is inside a window.
 */
export function answerEntropy({ of }: Shares): number {
  let entropy = 0;
  let answered = 0;
  for (const share of of.values()) {
    entropy -= share * Math.log(share);
    answered += share;
  }
  const silent = 1 - answered;
  // What rounding leaves of a group in which every rollout has an answer is no class.
  return silent > 1e-9 ? entropy - silent * Math.log(silent) : Math.max(0, entropy);
}
