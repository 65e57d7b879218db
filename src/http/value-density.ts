/**
 * What the values of a JSON text take while they are read, beside its strings: V8 has 8 bytes for a number in a list, 24 for any other entry
 * (its place, and those of the lists that grew to hold it), some 24 more for a property and some 56 for a list or an object itself. So a
 * body of zeros takes several times its length, and one of brackets fifty times.
 */
const WEIGHTS = new Uint8Array(256);
for (const [character, bytes] of [
  [',', 24],
  [':', 24],
  ['[', 64],
  ['{', 64],
] as const) {
  WEIGHTS[character.charCodeAt(0)] = bytes;
}

const COMMA = 0x2c;
/** Less for a number: lists of them are what trainers do send, an entropy for each token. */
const LESS_FOR_NUMBER = 16;
const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
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
      if (byte === COMMA && isNumberAt(text, at + 1)) weight -= LESS_FOR_NUMBER;
      if (weight > mostBytes) return true;
    }
  }
  return false;
}

/** Behind a comma, with the space that Python writes or without. */
function isNumberAt(text: Buffer, at: number): boolean {
  const byte = text[at] === SPACE ? text[at + 1] : text[at];
  return byte !== undefined && (byte === MINUS || (byte >= ZERO && byte <= NINE));
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
