import { describe, expect, it } from 'vitest';
import { attachDecimals } from '../../../src/answers/attach-decimals.ts';

describe('attachDecimals', () => {
  it('lets a rounded decimal vote for the exact answer that it rounds', () => {
    const [third, decimal, longer] = attachDecimals(['\\frac13', '0.333', '0.333333']);
    expect(decimal).toBe(third);
    expect(longer).toBe(third);
  });

  it('never joins two exact answers', () => {
    const keys = attachDecimals(['\\frac{1}{3}', '\\frac{333}{1000}', '0.333']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe(keys[1]);
  });

  it('leaves a decimal alone that could stand for two exact answers', () => {
    const keys = attachDecimals(['\\frac{10001}{30000}', '\\frac13', '0.333']);
    expect(new Set(keys).size).toBe(3);
  });

  it('leaves coarse decimals and abstentions alone', () => {
    const keys = attachDecimals(['\\frac13', '0.33', null]);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBeNull();
  });

  it('does not depend on the order of the answers', () => {
    const answers = ['\\sqrt2', '1.414', '1.41421', '7', null];
    const forwards = attachDecimals(answers);
    const backwards = attachDecimals([...answers].reverse()).reverse();
    expect(backwards).toEqual(forwards);
  });
});
