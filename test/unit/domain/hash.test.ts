import { describe, expect, it } from 'vitest';
import { hashKey } from '../../../src/domain/hash.ts';

describe('hashKey', () => {
  it('never changes, since ties are broken by it', () => {
    const known = {
      '': 2872998923,
      a: 444641715,
      b: 2193908274,
      '4': 1913594715,
      '\\frac{1}{2}': 1764560069,
      '😀': 1787143206,
    };
    for (const [key, hash] of Object.entries(known)) expect(hashKey(key)).toBe(hash);
  });

  it('is an unsigned 32-bit integer that tells keys apart', () => {
    const hashes = Array.from({ length: 2_000 }, (_, n) => hashKey(String(n)));
    expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32)).toBe(true);
    expect(new Set(hashes).size).toBe(2_000);
  });
});
