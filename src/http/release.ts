import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { RewardService } from '../service/rewards.ts';
import type { Ticket } from '../service/submission.ts';

/** A connection that closes before its answer was written gives its rollouts without id back to a retry. */
export function releaseWhenUnanswered(
  reply: FastifyReply,
  ticket: Ticket,
  rewards: RewardService,
  log: FastifyBaseLogger,
): void {
  const release = () => {
    if (reply.raw.writableFinished) return;
    rewards.release(ticket).catch((error: unknown) => {
      log.warn(
        { err: error },
        'A closed connection could not be released; its retry counts as new rollouts.',
      );
    });
  };
  // The caller may have left while its rollouts were stored; then there is no event to come.
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}
