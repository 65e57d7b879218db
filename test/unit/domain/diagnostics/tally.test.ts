import { describe, expect, it } from 'vitest';
import { NO_AGENT_COUNTS, NO_PAIR_COUNTS } from '../../../../src/domain/diagnostics/counters.ts';
import { scopeOf, stepsKept, Tally, weightOf } from '../../../../src/domain/diagnostics/tally.ts';

const agent = (name: string, groups: number) =>
  ({ kind: 'agent', agent: name, counts: { ...NO_AGENT_COUNTS, groups } }) as const;
const pair = (first: string, second: string, firstLabeled: number) =>
  ({ kind: 'pair', first, second, counts: { ...NO_PAIR_COUNTS, compared: 1, firstLabeled } }) as const;

describe('a tally', () => {
  it('adds up each agent and each pair by itself', () => {
    const tally = new Tally();
    for (const increment of [
      agent('a', 1),
      agent('b', 2),
      pair('a', 'b', 1),
      agent('a', 3),
      pair('a', 'b', 1),
    ]) {
      tally.add(increment);
    }
    expect([tally.agent('a')?.groups, tally.agent('b')?.groups, tally.agent('c')]).toEqual([4, 2, null]);
    expect(tally.pair('a', 'b')).toMatchObject({ compared: 2, firstLabeled: 2, secondLabeled: 0 });
    expect([tally.size, tally.increments.map(scopeOf)]).toEqual([3, ['a', 'b', 'a b']]);
  });

  it('shows a pair from either side', () => {
    const tally = new Tally();
    tally.add(pair('a', 'b', 1));
    expect(tally.pair('b', 'a')).toMatchObject({ firstLabeled: 0, secondLabeled: 1 });
    expect(tally.pair('a', 'c')).toBeNull();
  });

  it('takes in another one whole', () => {
    const [one, other] = [new Tally(), new Tally()];
    one.add(agent('a', 1));
    other.add(agent('a', 2));
    other.add(pair('a', 'b', 1));
    one.addAll(other);
    expect([one.agent('a')?.groups, one.pair('a', 'b')?.compared]).toEqual([3, 1]);
    expect(other.agent('a')?.groups).toBe(2);
  });
});

describe('what is kept', () => {
  it('is 10,000 steps of two agents, and fewer of a cohort with many pairs', () => {
    expect([1, 2, 4, 8, 16, 64].map(stepsKept)).toEqual([10_000, 10_000, 10_000, 2_777, 735, 100]);
  });

  it('weighs an increment by its groups or its prompts', () => {
    expect([weightOf(agent('a', 7)), weightOf(pair('a', 'b', 0))]).toEqual([7, 1]);
  });
});
