/** Beyond this many characters an answer is compared as text only. */
export const MAX_ANSWER_LENGTH = 4096;

/** A fixed-length name for a long text: 106 bits of two independent 53-bit hashes, and the length. */
export function hashText(text: string): string {
  return `${hash53(text, 0x9e3779b9)}${hash53(text, 0x85ebca6b)}-${text.length.toString(36)}`;
}

function hash53(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, '0');
}
