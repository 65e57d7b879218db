import { describe, expect, it } from 'vitest';
import { candidateCohorts } from '../../../src/theory/candidate-cohorts.ts';

const ALL = { smallest: 2, largest: 64 };

/** Who teaches each member, which is what makes a ring. */
function edges(members: readonly number[], teaching: string): string {
  const step = teaching === 'successor' ? 1 : members.length - 1;
  return members
    .map((student, at) => `${student}<${members[(at + step) % members.length]}`)
    .sort()
    .join();
}

describe('the cohorts that candidates can make', () => {
  it('are every ring once, and every set of three or more by peer-majority and pooled', () => {
    const { cohorts, largest } = candidateCohorts(5, ALL, 1_000);
    const rings = cohorts.filter(({ teaching }) => teaching === 'predecessor' || teaching === 'successor');
    // Of n members there are (n − 1)! directed rings: 10·1 + 10·2 + 5·6 + 1·24.
    expect(rings).toHaveLength(84);
    expect(new Set(rings.map(({ members, teaching }) => edges(members, teaching))).size).toBe(84);
    expect(cohorts.filter(({ teaching }) => teaching === 'pooled')).toHaveLength(16);
    expect(cohorts).toHaveLength(84 + 2 * 16);
    expect(largest).toBe(5);
  });

  it('stop at the size that would be too many, and say so', () => {
    expect(candidateCohorts(16, ALL, 5_000)).toMatchObject({ largest: 3 });
    expect(candidateCohorts(16, ALL, 5_000).cohorts).toHaveLength(120 + 2 * 560 * 2);
    expect(candidateCohorts(4, ALL, 5)).toEqual({ cohorts: [], largest: 1 });
  });

  it('keep to the sizes that were asked for', () => {
    const sizes = candidateCohorts(5, { smallest: 3, largest: 4 }, 1_000).cohorts.map(
      ({ members }) => members.length,
    );
    expect([...new Set(sizes)]).toEqual([3, 4]);
  });
});
