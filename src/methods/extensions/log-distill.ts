/** What a rollout that the peer says nothing about is paid: ln 1e-10. */
const LOG_DISTILL_FLOOR = Math.log(1e-10);

/**
 * Log-distillation: the mean log-probability that the peer gives the rollout's tokens, `sum` / `tokens`, in nats;
 * {@link LOG_DISTILL_FLOOR} where either is missing or there are no tokens. co-grpo-dp of the Co-RL authors
 * (williamium3000/trl-projects @2a676086).
 */
export function logDistill(sum: number | null, tokens: number | null): number {
  return sum === null || tokens === null || tokens <= 0 ? LOG_DISTILL_FLOOR : sum / tokens;
}
