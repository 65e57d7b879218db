import { describe, expect, it } from 'vitest';
import { NO_TRAIL } from '../../../../src/domain/step-trail.ts';
import { unpackArrivals } from '../../../../src/store/redis/activity.ts';
import { packCounts, readRecords } from '../../../../src/store/redis/pack-counts.ts';

describe('what an earlier version wrote', () => {
  it('of the activity of an agent is read, without a trail', () => {
    expect(unpackArrivals('1[12,34,["p",0,"q",1]]')).toEqual({
      rollouts: 12,
      lastArrivalAt: 34,
      recentPrompts: [
        { promptId: 'p', round: 0 },
        { promptId: 'q', round: 1 },
      ],
      trail: NO_TRAIL,
    });
  });

  it('of figures is read, what was not counted then being nothing', () => {
    const increment = { kind: 'pair', first: 'a', second: 'b', counts: { compared: 3, texts: 9 } } as const;
    const numbers = packCounts(increment).split(' ');
    // Before chance was counted, and before texts were.
    expect(readRecords(`a b\t${numbers.slice(0, -2).join(' ')}`)).toMatchObject([
      { counts: { compared: 3, texts: 9, chanceCompared: 0, chanceSame: 0 } },
    ]);
    expect(readRecords(`a b\t${numbers.slice(0, -4).join(' ')}`)).toMatchObject([
      { counts: { compared: 3, texts: 0, sameTexts: 0, chanceCompared: 0 } },
    ]);
  });

  it('is refused where it has more than there is room for', () => {
    const increment = { kind: 'pair', first: 'a', second: 'b', counts: { compared: 3 } } as const;
    expect(() => readRecords(`a b\t${packCounts(increment)} 1`)).toThrow('other counters');
  });
});
