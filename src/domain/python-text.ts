/** A text as a Python literal in ASCII: JSON's escapes are Python's, and lone surrogates stay what they are. */
export function quotePython(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
