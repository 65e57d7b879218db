import { ServiceError } from '../../domain/errors.ts';

/** What every failure of Redis becomes: the caller tries again, and the cause goes to the log. */
export function unavailable(cause: unknown): ServiceError {
  const sentence = explainTrouble(cause) ?? 'Redis cannot be reached at the moment.';
  const message = `${sentence} Send the same request again: what was stored counts, and repeating it is safe.`;
  return new ServiceError('store_unavailable', message, { cause });
}

/** What another version, or somebody else, left under a name of ours: it concerns only those who need it, and stays as it is. */
export function unreadableData(place: string, cause: unknown): ServiceError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `What Redis holds in ${place} cannot be read by this version of PeerVote, and stays as it is: ${why}. Send the same request again where a newer version runs too; else look who wrote it.`;
  return new ServiceError('unreadable_data', message, { cause });
}

/** Whether Redis refused a command because its key holds another kind of value. */
export function isWrongType(error: Error): boolean {
  return error.message.startsWith('WRONGTYPE');
}

const CERTIFICATE_CODES =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_|ERR_TLS_CERT)/;
const REFUSED = /\b(WRONGPASS|NOAUTH|NOPERM)\b|^ERR (ACL failure|The user executing the script)/;

/** What whoever runs the server can do about a failure of Redis, as a sentence or two; null where it has to pass by itself. */
export function explainTrouble(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  // A cluster says only that all of its nodes failed.
  if ('lastNodeError' in cause) return explainTrouble(cause.lastNodeError);
  const { message } = cause;
  const code = 'code' in cause ? String(cause.code) : '';
  if (message.startsWith('OOM ')) {
    return 'Redis has no memory left and takes nothing more. Raise its maxmemory.';
  }
  if (CERTIFICATE_CODES.test(code)) {
    return `The certificate that Redis shows is not trusted: ${message}. Name the file of its CA in redis.tls_ca_file, and the host by a name that it is for.`;
  }
  if (code.startsWith('ERR_SSL_')) {
    return `TLS with Redis failed: ${message}. Check that it speaks TLS at this port, and whether it asks for a certificate (redis.tls_cert_file).`;
  }
  if (REFUSED.test(message)) {
    return `Redis does not let this server in: ${message}. Check the user, the password, and the rights that docs/redis.md lists.`;
  }
  return null;
}
