import { isUnreadable, ServiceError } from '../domain/errors.ts';

/** Whether an error says that the store cannot be reached at the moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'store_unavailable';
}

/** Whether an error is the store's, which whoever runs it was told of already: it is away, or holds something of another version. */
export function isStoreTrouble(error: unknown): boolean {
  return isUnavailable(error) || isUnreadable(error);
}
