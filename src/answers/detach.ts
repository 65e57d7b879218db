/**
 * Copies a string out of the string that it was cut from.
 *
 * V8 keeps a slice of 13 or more characters as a pointer into its parent, so a stored answer would keep its
 * whole completion alive. Lone surrogates come out as U+FFFD.
 */
export function detach(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
