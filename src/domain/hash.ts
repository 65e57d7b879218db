/**
 * FNV-1a over UTF-16 code units with a final avalanche, as an unsigned 32-bit integer. Not for
 * security: it orders tied answers in a way that depends on nothing but the answer. Changing it
 * changes rewards.
 */
export function hashKey(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
