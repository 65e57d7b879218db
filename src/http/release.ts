import type { FastifyBaseLogger } from 'fastify';
import type { RewardService } from '../service/rewards.ts';
import type { Ticket } from '../service/submission.ts';

/** A caller that goes before its answer was written gives its rollouts without id back to a retry. */
export function releaseWhenGone(
  gone: AbortSignal,
  ticket: Ticket,
  rewards: RewardService,
  log: FastifyBaseLogger,
): void {
  const release = () => {
    rewards.release(ticket).catch((error: unknown) => {
      log.warn(
        { err: error },
        'A closed connection could not be released; its retry counts as new rollouts.',
      );
    });
  };
  // The caller may have left while its rollouts were stored; then there is no event to come.
  if (gone.aborted) release();
  else gone.addEventListener('abort', release, { once: true });
}
