import { ServiceError } from '../../domain/errors.ts';

/** What every failure of Redis becomes: the caller tries again, and the cause goes to the log. */
export function unavailable(cause: unknown): ServiceError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ServiceError('store_unavailable', sentenceFor(reason), { cause });
}

function sentenceFor(reason: string): string {
  if (reason.startsWith('OOM ')) {
    return 'Redis has no memory left and takes nothing more. Raise its maxmemory; what is stored stays. Send the same request again.';
  }
  if (/^(WRONGPASS|NOAUTH|NOPERM)\b/.test(reason)) {
    return 'Redis does not let this server in. Check the user, the password and the rights in the Redis URL.';
  }
  return 'Redis cannot be reached at the moment. Send the same request again: what was stored counts, and repeating it is safe.';
}
