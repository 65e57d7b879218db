import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteAsked, provesAnother } from '../../../src/domain/proves-another.ts';

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];

/** When the tries of one rollout come: never sooner than its client's pauses allow. */
const tries = fc
  .tuple(
    fc.nat({ max: 20_000 }),
    fc.array(fc.nat({ max: 2_000 }), { minLength: PAUSES_MS.length, maxLength: PAUSES_MS.length }),
  )
  .map(([start, late]) => {
    const times = [start];
    for (const [at, pauseMs] of PAUSES_MS.entries())
      times.push((times.at(-1) ?? 0) + pauseMs + (late[at] ?? 0));
    return times;
  });

/** How many rollouts are told apart, when every text that comes is the same and every try is refused. */
function countRollouts(times: readonly number[]): number {
  let rollouts = 0;
  let before: readonly number[] = [];
  for (const now of times) {
    const asking = { now, pausesMs: PAUSES_MS };
    if (rollouts === 0 || provesAnother(before, rollouts, asking)) rollouts++;
    before = noteAsked(before, asking);
  }
  return rollouts;
}

describe('a text that comes again without an id', () => {
  it('is never taken for more rollouts than send it, whenever they start and however late they are', () => {
    fc.assert(
      fc.property(fc.array(tries, { minLength: 1, maxLength: 8 }), (samples) => {
        const times = samples.flat().sort((a, b) => a - b);
        expect(countRollouts(times)).toBeLessThanOrEqual(samples.length);
      }),
    );
  });

  it('is taken for as many as send it, when they start within some seconds and are back without delay', () => {
    const starts = [0, 400, 900, 1_300, 1_900, 2_200, 2_700, 3_000];
    const times = starts.flatMap((start) => [0, 1_500, 4_000, 8_500, 17_000].map((after) => start + after));
    expect(countRollouts(times.sort((a, b) => a - b))).toBe(8);
  });

  it.each([
    { before: [], now: 0, another: false },
    { before: [0], now: 899, another: true },
    { before: [0], now: 900, another: false },
    { before: [0, 1_000], now: 2_699, another: true },
    { before: [0, 1_000], now: 2_700, another: false },
  ])(
    'came at $before; at $now it is another rollout than the one known: $another',
    ({ before, now, another }) => {
      expect(provesAnother(before, 1, { now, pausesMs: PAUSES_MS })).toBe(another);
    },
  );

  it('leaves no more times than may still prove something', () => {
    expect(noteAsked([0, 500, 14_000], { now: 14_500, pausesMs: PAUSES_MS })).toEqual([14_000, 14_500]);
    expect(noteAsked(null, { now: 3, pausesMs: PAUSES_MS })).toEqual([3]);
  });
});
