import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';

const wrap = (...rows: string[]): string => `\\begin{cases} ${rows.join(' \\\\ ')} \\end{cases}`;

describe('a case distinction', () => {
  it('is one vote with and without words, commas, full stops and marks, in any order of its rows', () => {
    const spellings = [
      wrap('3t & t \\ge 2', '-1 & t < 2'),
      wrap('3t, & \\text{if } t \\geq 2,', '-1, & \\text{if } t < 2.'),
      wrap('-1 & \\text{when } t<2', '3t & \\text{when } 2 \\le t'),
      wrap('3t, \\text{if } t \\ge 2', '-1, \\text{otherwise}'),
      wrap('-1 & \\text{for } t<2', '3t & \\text{else}'),
      `f(t) = ${wrap('3t & t \\ge 2', '-1 & \\text{if otherwise.}')}`,
      '\\left\\{\\begin{array}{ll} 3t & \\text{if } t \\ge 2 \\\\ -1 & \\text{otherwise} \\end{array}\\right.',
    ];
    expect(new Set(spellings.map((text) => canonicalKey(text))).size).toBe(1);
  });

  it('differs by its values, its conditions and which belongs to which', () => {
    const keys = [
      wrap('3t & t \\ge 2', '-1 & t < 2'),
      wrap('3t & t > 2', '-1 & t \\le 2'),
      wrap('3t & t \\ge 3', '-1 & t < 3'),
      wrap('-1 & t \\ge 2', '3t & t < 2'),
      wrap('3t & s \\ge 2', '-1 & s < 2'),
      wrap('4t & t \\ge 2', '-1 & t < 2'),
      wrap('3t & t \\ge 2', '-1 & t \\text{ is odd}'),
      wrap('3t & t \\ge 2', '-1 & t \\text{ is even}'),
      wrap('3t & t \\ge 2', '0 & 0 < t < 2', '-1 & \\text{otherwise}'),
    ].map((text) => canonicalKey(text));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
