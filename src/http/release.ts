import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { RewardService } from '../service/rewards.ts';
import type { Ticket } from '../service/submission.ts';

/** Gives the rollouts without id of a ticket to a retry: its caller has no answer and waits no more. */
function release(ticket: Ticket, rewards: RewardService, log: FastifyBaseLogger): void {
  rewards.release(ticket).catch((error: unknown) => {
    log.warn({ err: error }, 'A closed connection could not be released; its retry counts as new rollouts.');
  });
}

/** Once the rewards are written, a text like those of this ticket is no retry: the next visit may repeat it. */
export function noteWhenWritten(ticket: Ticket, rewards: RewardService, { raw, log }: FastifyReply): void {
  // The bytes are with the operating system, though their receiver may be slow: what is told now is told with them.
  raw.once('prefinish', () => rewards.announceAnswer(ticket));
  raw.once('finish', () => {
    rewards.answered(ticket).catch((error: unknown) => {
      log.warn({ err: error }, 'An answer could not be noted; an identical text may be taken for its retry.');
    });
  });
}

/** A caller that goes before its answer was written gives its rollouts without id back to a retry. */
export function releaseWhenGone(
  gone: AbortSignal,
  ticket: Ticket,
  rewards: RewardService,
  log: FastifyBaseLogger,
): void {
  const give = () => release(ticket, rewards, log);
  // The caller may have left while its rollouts were stored; then there is no event to come.
  if (gone.aborted) give();
  else gone.addEventListener('abort', give, { once: true });
}
