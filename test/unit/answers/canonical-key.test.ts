import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../src/answers/canonical-key.ts';

const SAME: ReadonlyArray<readonly string[]> = [
  ['0.5', '1/2', '\\frac12', '\\frac{2}{4}', '$\\dfrac{1}{2}$', '.5', '0.50'],
  ['1234', '1,234', '1,234.0', '1234.', '$1{,}234$', '\\$1,234'],
  ['-3', '−3', '- 3', 'x=-3', '-3.0'],
  ['12 \\text{ cm}', '12 cm', '12'],
  ['50\\%', '50%', '50 percent', '50'],
  ['1\\frac{1}{2}', '1.5'],
  ['\\text{Monday}', 'monday'],
];

describe('canonicalKey', () => {
  for (const spellings of SAME) {
    it(`gives ${spellings.join('  ')} one key`, () => {
      expect(new Set(spellings.map((text) => canonicalKey(text))).size).toBe(1);
    });
  }

  it('keeps different numbers apart exactly', () => {
    expect(canonicalKey('0.1')).not.toBe(canonicalKey('0.10000000000000000001'));
    expect(canonicalKey('1/3')).not.toBe(canonicalKey('0.333333333333'));
  });

  it('gives no key to a blank answer', () => {
    expect(canonicalKey('')).toBeNull();
    expect(canonicalKey(' \n')).toBeNull();
  });

  it('takes the upper-case letter as the key of a choice', () => {
    expect(canonicalKey('b', 'choice')).toBe('B');
    expect(canonicalKey('(B)', 'choice')).toBe('B');
    expect(canonicalKey('A or B', 'choice')).toBeNull();
  });

  it('takes the spelling of a program as its key', () => {
    expect(canonicalKey('x = 1\n', 'code')).toBe('x = 1');
    expect(canonicalKey('x = 1', 'code')).not.toBe(canonicalKey('x = 2', 'code'));
  });

  it('keeps property names of objects as answers', () => {
    expect(canonicalKey('__proto__')).toContain('__proto__');
  });

  it('gives long answers short keys that still tell them apart', () => {
    const first = canonicalKey(`${'y'.repeat(100_000)}a`);
    const second = canonicalKey(`${'y'.repeat(100_000)}b`);
    expect(first).not.toBe(second);
    expect(first?.length).toBeLessThan(300);
  });
});
