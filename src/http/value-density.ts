/**
 * What the values of a JSON text take once they are read, beside its strings: V8 has 8 bytes for an entry of a list, some 24 more for a
 * property and some 56 for a list or an object itself. So a body of zeros takes eight times its length, and one of brackets fifty times.
 */
const WEIGHTS = new Uint8Array(256);
for (const [character, bytes] of [
  [',', 8],
  [':', 24],
  ['[', 64],
  ['{', 64],
] as const) {
  WEIGHTS[character.charCodeAt(0)] = bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes of a string that are looked at one by one before the rest is searched: a search costs as much as these. */
const SHORT = 64;

/** True when reading the text would take more than so many bytes beside its strings. Any bytes will do; it looks at each at most once. */
export function isDense(text: Buffer, mostBytes: number): boolean {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(text, at + 1);
    } else {
      weight += WEIGHTS[byte] ?? 0;
      if (weight > mostBytes) return true;
    }
  }
  return false;
}

/** Where the string that begins here has its closing quote; the length of the text where it has none. */
function endOfString(text: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const soon = Math.min(text.length, at + SHORT);
    for (; at < soon; at++) {
      if (text[at] === QUOTE) return at;
      if (text[at] === BACKSLASH) at++;
    }
    if (at >= text.length) return text.length;
    const quote = text.indexOf(QUOTE, at);
    if (quote < 0) return text.length;
    let slashes = quote;
    while (slashes > at && text[slashes - 1] === BACKSLASH) slashes--;
    if ((quote - slashes) % 2 === 0) return quote;
    at = quote + 1;
  }
}
