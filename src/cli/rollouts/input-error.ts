import { CohortError } from './cohort-source.ts';
import { LineTooLongError } from './lines.ts';
import { BadLineError } from './read-rollouts.ts';

/** Codes of Node and zlib for files that cannot be opened, read or written. */
const FILE_ERROR = /^(E[A-Z]+|Z_[A-Z_]+)$/;

/** An error that the user can put right, and that its message tells all of. */
export function isInputError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ([BadLineError, CohortError, LineTooLongError].some((kind) => error instanceof kind)) return true;
  return 'code' in error && FILE_ERROR.test(String(error.code));
}
