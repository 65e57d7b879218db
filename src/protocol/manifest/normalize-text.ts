/** A prompt's text as the manifest compares it: each run of white space is one space, none at the ends. */
export function normalizeText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toWellFormed();
}
