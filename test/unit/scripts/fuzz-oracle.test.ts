import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../scripts/fuzz-oracle/run.ts';

describe('the answer engine against the oracle', () => {
  const tallies = fuzz(2000, 7);
  const all = [...tallies.values()];

  it('accepts no two answers that differ', () => {
    expect(all.flatMap((tally) => tally.falsePositives)).toEqual([]);
  });

  it('accepts nearly every answer in a form that is equal', () => {
    const misses = all.flatMap((tally) => tally.falseNegatives);
    expect(misses.length).toBeLessThanOrEqual(20);
  });

  it('draws as many pairs from every family, both equal and different ones', () => {
    expect(new Set(all.map((tally) => tally.pairs))).toEqual(new Set([2000 / tallies.size]));
  });

  it('gives the same pairs for the same seed', () => {
    expect(fuzz(200, 3)).toEqual(fuzz(200, 3));
  });
});
