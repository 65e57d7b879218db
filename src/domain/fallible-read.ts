/** What a reader says of input that it fell over. */
export const UNREADABLE =
  'cannot be read: something in it is nested too deeply, or is no number where one has to be';

/**
 * What `read` gives, or `otherwise` where it throws. A schema may fall over what it checks: zod compares the `length` of whatever has one, and
 * that may be a nest of lists or an object that is no number. For input that nothing has looked at yet.
 */
export function readOr<T>(read: () => T, otherwise: () => T): T {
  try {
    return read();
  } catch {
    return otherwise();
  }
}
