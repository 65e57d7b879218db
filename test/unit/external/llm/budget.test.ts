import { describe, expect, it } from 'vitest';
import { Budget } from '../../../../src/external/llm/budget.ts';

const SIZE = { promptTokens: 100, completionTokens: 50 };
const NO_LIMITS = { requests: null, tokens: null, cost: null };

describe('a budget', () => {
  it('keeps room for what is on its way, and gives back what was not taken', () => {
    const budget = new Budget({ ...NO_LIMITS, tokens: 300 });
    const first = budget.reserve(SIZE);
    expect(budget.left.tokens).toBe(150);
    const second = budget.reserve(SIZE);
    expect(budget.refuses(SIZE)).toBe('tokens');
    first.settle({ promptTokens: 90, completionTokens: 10, estimated: false });
    expect(budget.left.tokens).toBe(50);
    second.refund();
    expect(budget.refuses(SIZE)).toBeNull();
    budget.reserve(SIZE).keep();
    expect(budget.spent).toEqual({ requests: 3, promptTokens: 190, completionTokens: 60 });
    expect(budget.left).toEqual({ requests: null, tokens: 50 });
  });

  it('counts every request, also one that came to nothing', () => {
    const budget = new Budget({ ...NO_LIMITS, requests: 2 });
    budget.reserve(SIZE).refund();
    expect(budget.refuses(SIZE)).toBeNull();
    budget.reserve(SIZE).keep();
    expect(budget.refuses(SIZE)).toBe('requests');
    expect(budget.left.requests).toBe(0);
  });

  it('reckons the cost by the price of a million tokens, and goes on from what was spent before', () => {
    const before = { requests: 7, promptTokens: 1_000_000, completionTokens: 500_000 };
    const budget = new Budget({ ...NO_LIMITS, cost: 6.001 }, { input: 2, output: 8 }, before);
    expect(budget.cost).toBe(6);
    expect(budget.refuses(SIZE)).toBeNull();
    budget.reserve(SIZE);
    expect(budget.refuses(SIZE)).toBe('cost');
  });
});
