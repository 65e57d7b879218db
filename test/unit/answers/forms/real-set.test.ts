import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  complement,
  difference,
  intersection,
  interval,
  point,
  REAL_LINE,
  type RealSet,
  realSetKey,
  union,
} from '../../../../src/answers/forms/real-set.ts';
import type { Scalar } from '../../../../src/answers/numeric/scalar.ts';

const RUNS = { seed: 20261130, numRuns: 300 };

function scalar(value: number): Scalar {
  return { kind: 'exact', value: { num: BigInt(value), den: 1n } };
}

const piece: fc.Arbitrary<RealSet> = fc
  .tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 0, max: 4 }), fc.boolean(), fc.boolean())
  .map(([low, length, lowClosed, highClosed]) => {
    const found = interval(scalar(low), scalar(low + length), lowClosed, highClosed);
    return found === null ? [point(scalar(low))] : [found];
  });
const realSet: fc.Arbitrary<RealSet> = fc
  .array(piece, { maxLength: 4 })
  .map((pieces) => pieces.reduce(union, []));

function same(a: RealSet, b: RealSet): void {
  expect(realSetKey(a)).toBe(realSetKey(b));
}

describe('real sets', () => {
  it('follow the laws of set algebra', () => {
    fc.assert(
      fc.property(realSet, realSet, realSet, (a, b, c) => {
        same(union(a, b), union(b, a));
        same(union(union(a, b), c), union(a, union(b, c)));
        same(complement(complement(a)), a);
        same(complement(union(a, b)), intersection(complement(a), complement(b)));
        same(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)));
        same(union(a, complement(a)), REAL_LINE);
        same(union(difference(a, b), intersection(a, b)), a);
      }),
      RUNS,
    );
  });

  it('joins intervals that touch in a point that one of them has', () => {
    const half = interval(scalar(0), scalar(1), true, false);
    const rest = interval(scalar(1), scalar(2), true, true);
    const open = interval(scalar(1), scalar(2), false, true);
    if (half === null || rest === null || open === null) throw new Error('the intervals are not empty');
    expect(realSetKey(union([half], [rest]))).toBe('[0,2]');
    expect(realSetKey(union([half], [open]))).toBe('[0,1)u(1,2]');
  });
});
