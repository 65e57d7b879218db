import { ServiceError } from '../../domain/errors.ts';

/** To those whose programs wait or run while the server shuts down. */
export function draining(): ServiceError {
  return new ServiceError(
    'draining',
    'This server is shutting down: send the same request again, elsewhere or later.',
  );
}

/** What a caller is told of an error that left a program without a place to run. */
export function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(
    'sandbox_unavailable',
    'The sandbox for code answers did not start; nothing of this request was stored. The log of the server says why. Send the same again once it is repaired.',
    { cause: error },
  );
}
