import { describe, expect, it } from 'vitest';
import { backoffMs, parseRetryAfter } from '../../../../src/external/llm/backoff.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

describe('the wait before another attempt', () => {
  it('is spread evenly below a limit that doubles up to a cap', () => {
    const rules = { attempts: 9, baseMs: 100, capMs: 1_000 };
    const longest = [1, 2, 3, 4, 5, 9].map((attempts) => backoffMs(attempts, rules, () => 1));
    expect(longest).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(backoffMs(3, rules, () => 0)).toBe(0);
    expect(backoffMs(3, rules, () => 0.25)).toBe(100);
  });

  it.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['-1', null],
    ['soon', null],
    ['', null],
    ['2026', 2_026_000],
    [null, null],
  ])('is read from Retry-After: %s', (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });
});
