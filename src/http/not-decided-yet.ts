import { ServiceError } from '../domain/errors.ts';
import type { SubmissionResult } from '../service/submission.ts';

/** For dialects that cannot say "not yet" but by an error: the rollouts are stored, and a retry takes their place. */
export function notDecidedYet({
  crowded,
  waitingFor: [first],
}: Extract<SubmissionResult, { kind: 'pending' }>): ServiceError {
  return new ServiceError(
    crowded ? 'too_many_held_requests' : 'not_decided_yet',
    `The rollouts are stored; ${first?.agent ?? 'a peer'} has sent ${first?.have ?? 0} of ${first?.need ?? 0} rollouts for prompt "${first?.promptId ?? ''}". Send the same request again.`,
  );
}
