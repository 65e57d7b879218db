import { describe, expect, it } from 'vitest';
import { foldDigits } from '../../../../src/answers/math/fold-digits.ts';

describe('foldDigits', () => {
  it('writes the ten digits of every script of the basic plane as those of ASCII', () => {
    let scripts = 0;
    for (let code = 0x80; code < 0x10000; code += 1) {
      if (!/\p{Nd}/u.test(String.fromCharCode(code))) continue;
      const ten = Array.from({ length: 10 }, (_, i) => String.fromCharCode(code + i)).join('');
      expect(foldDigits(ten)).toBe('0123456789');
      scripts += 1;
      code += 9;
    }
    expect(scripts).toBeGreaterThan(30);
  });

  it('keeps every position, and every other character', () => {
    const text = 'a٣٫٥ 五 ½ ² 𝟙 x٬٪é';
    const folded = foldDigits(text);
    expect(folded).toBe('a3.5 五 ½ ² 𝟙 x,%é');
    expect(folded.length).toBe(text.length);
  });
});
