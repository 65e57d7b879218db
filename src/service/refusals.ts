import type { Agent, Cohort } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';

export function draining(): ServiceError {
  return new ServiceError(
    'draining',
    'This server is shutting down. Send the same request again: another replica or the restarted server takes it.',
  );
}

export function staleIncarnation(agent: Agent, sent: string | null, latest: string | null): ServiceError {
  const newer = latest === null ? 'a newer one' : `"${latest}"`;
  return new ServiceError(
    'stale_incarnation',
    `Agent "${agent.name}" restarted: incarnation "${sent}" was replaced by ${newer}. Stop the old trainer, or give each start of it an incarnation of its own.`,
    { details: { latest } },
  );
}

export function unknownSubmission(id: string): ServiceError {
  return new ServiceError(
    'unknown_submission',
    `Submission "${id}" is not known here: it was never recorded, its retention is over, or an embedded store was restarted. POST the whole submission again.`,
  );
}

/** Read by nobody. */
export function leftBeforeStored(): ServiceError {
  return new ServiceError(
    'not_decided_yet',
    'The connection closed before the rollouts were stored. Send them again.',
  );
}

export function deletedWhileWaiting({ name }: Cohort): ServiceError {
  return new ServiceError('unknown_cohort', `Cohort "${name}" was deleted while this request waited.`);
}
