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
    const earlier = packCounts(increment).split(' ').slice(0, -2).join(' ');
    expect(readRecords(`a b\t${earlier}`)).toMatchObject([
      { counts: { compared: 3, texts: 0, sameTexts: 0 } },
    ]);
  });

  it('is refused where it has more than there is room for', () => {
    const increment = { kind: 'pair', first: 'a', second: 'b', counts: { compared: 3 } } as const;
    expect(() => readRecords(`a b\t${packCounts(increment)} 1`)).toThrow('other counters');
  });
});
