import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AGENT_COUNTERS,
  type AgentCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  PAIR_COUNTERS,
  type PairCounts,
  swapPair,
  toSummand,
} from '../../../../src/domain/diagnostics/counters.ts';
import { sumAgents, sumPairs } from '../../../support/figures.ts';

const summand = fc.double({ min: -100, max: 100, noNaN: true }).map(toSummand);

function countsOf<Counts>(names: object, start: object): fc.Arbitrary<Counts> {
  const fields = Object.fromEntries(Object.keys(names).map((name) => [name, summand]));
  return fc.oneof(fc.record(fields), fc.constant({})).map((counts) => ({ ...start, ...counts }) as Counts);
}

const agents = countsOf<AgentCounts>(AGENT_COUNTERS, NO_AGENT_COUNTS);
const pairs = countsOf<PairCounts>(PAIR_COUNTERS, NO_PAIR_COUNTS);

describe('merging counts', () => {
  it('is exact in any order and grouping, and nothing changes nothing', () => {
    fc.assert(
      fc.property(agents, agents, agents, (a, b, c) => {
        expect(sumAgents(a, b)).toEqual(sumAgents(b, a));
        expect(sumAgents(sumAgents(a, b), c)).toEqual(sumAgents(a, sumAgents(b, c)));
        expect(sumAgents(a, NO_AGENT_COUNTS)).toEqual(a);
        expect(sumAgents(a, {})).toEqual(a);
      }),
    );
    fc.assert(
      fc.property(pairs, pairs, pairs, (a, b, c) => {
        expect(sumPairs(a, b)).toEqual(sumPairs(b, a));
        expect(sumPairs(sumPairs(a, b), c)).toEqual(sumPairs(a, sumPairs(b, c)));
        expect(sumPairs(a, NO_PAIR_COUNTS)).toEqual(a);
        expect(sumPairs(a, {})).toEqual(a);
      }),
    );
  });

  it('adds counts and keeps the extremes', () => {
    const short = { lengths: 1, lengthMin: 3, lengthMax: 3 };
    const long = { lengths: 2, lengthMin: 5, lengthMax: 9 };
    expect(sumAgents(short, long)).toMatchObject({ lengths: 3, lengthMin: 3, lengthMax: 9 });
  });

  it('is the same from either side of a pair', () => {
    fc.assert(
      fc.property(pairs, pairs, (a, b) => {
        expect(swapPair(swapPair(a))).toEqual(a);
        expect(sumPairs(swapPair(a), swapPair(b))).toEqual(swapPair(sumPairs(a, b)));
      }),
    );
  });
});

describe('toSummand', () => {
  it('changes a value by less than the tolerance of the reference cases', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        expect(Math.abs(toSummand(value) - value)).toBeLessThan(1e-12);
      }),
    );
    for (const value of [0, 1, 0.5, 3072, -8192.25]) expect(toSummand(value)).toBe(value);
  });

  it('keeps every sum finite', () => {
    expect([toSummand(1e300), toSummand(-1e300)]).toEqual([1e100, -1e100]);
  });
});
