import { describe, expect, it } from 'vitest';
import { addRatios, compatValue, countCase, toRate } from '../../../../src/domain/diagnostics/ratios.ts';

describe('ratios', () => {
  it('count hits, misses and cases that do not count', () => {
    expect([true, false, null].map(countCase)).toEqual([
      { numerator: 1, denominator: 1 },
      { numerator: 0, denominator: 1 },
      { numerator: 0, denominator: 0 },
    ]);
  });

  it('add up name by name, in any order, and keep a name that only one has', () => {
    const a = new Map([
      ['x', { numerator: 1, denominator: 2 }],
      ['y', { numerator: 1, denominator: 1 }],
    ]);
    const b = new Map([
      ['__proto__', { numerator: 0, denominator: 1 }],
      ['x', { numerator: 2, denominator: 2 }],
    ]);
    const sum = addRatios(a, b);
    expect(sum).toEqual(addRatios(b, a));
    expect(sum.get('x')).toEqual({ numerator: 3, denominator: 4 });
    expect([...sum.keys()].sort()).toEqual(['__proto__', 'x', 'y']);
    expect(a.get('x')).toEqual({ numerator: 1, denominator: 2 });
  });

  it('are no rate when taken of nothing, and 0.0 under the names of the reference', () => {
    const nothing = { numerator: 0, denominator: 0 };
    expect(toRate(nothing)).toEqual({ value: null, ...nothing });
    expect(compatValue(nothing)).toBe(0);
    const some = { numerator: 1, denominator: 4 };
    expect(toRate(some)).toEqual({ value: 0.25, ...some });
    expect(compatValue(some)).toBe(0.25);
  });
});
