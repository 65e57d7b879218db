/** A number that Python's json.dumps writes and JSON does not know. */
export interface NonFinite {
  readonly token: string;
  /** Index in UTF-16 code units, from 0. */
  readonly at: number;
}

const TOKEN = /-?\bInfinity\b|\bNaN\b/;

/**
 * The first NaN or Infinity outside a string, or null. A scan from string to string: one regular expression
 * for both overflows its stack on a completion of some megabytes.
 */
export function findNonFinite(text: string): NonFinite | null {
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const gap = text.slice(at, quote < 0 ? text.length : quote);
    const found = TOKEN.exec(gap);
    if (found !== null) return { token: found[0], at: at + found.index };
    if (quote < 0) return null;
    at = endOfString(text, quote + 1);
  }
  return null;
}

/** The index behind the quote that ends the string which starts at `from`; the end of a text that breaks off. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (at - 1 - escapes >= from && text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}
