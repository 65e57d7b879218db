import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { readDate } from '../../../../src/answers/math/calendar-date.ts';

describe('a calendar date', () => {
  it('is one vote in all unambiguous spellings', () => {
    const spellings = [
      '2021-07-15',
      '2021/07/15',
      '2021/7/15',
      '15/07/2021',
      '07/15/2021',
      '15.07.2021',
      '15.7.2021',
      '15-07-2021',
      'July 15, 2021',
      'july 15 2021',
      'Jul. 15, 2021',
      '15 July 2021',
      '15th July, 2021',
      'the 15th of July 2021',
      'Thursday, July 15, 2021',
      '15-Jul-2021',
      '\\text{July 15, 2021}',
      '2021年7月15日',
      '2021년 7월 15일',
      '$2021-07-15$',
    ];
    expect(new Set(spellings.map((text) => canonicalKey(text)))).toEqual(
      new Set([canonicalKey('2021-07-15')]),
    );
  });

  it('keeps its spelling where day and month could change places', () => {
    expect(readDate('01/05/2003')).toBe(readDate('1/5/2003'));
    expect(readDate('01/05/2003')).not.toBe(readDate('05/01/2003'));
    expect(readDate('01/05/2003')).not.toBe(readDate('2003-01-05'));
    expect(readDate('04/04/2003')).toBe(readDate('2003-04-04'));
  });

  it('is no number, and neither is a part of it', () => {
    for (const [date, number] of [
      ['2021-07-15', '1999'],
      ['10-12-2000', '-2002'],
      ['12/24/2010', '1/4020'],
      ['03/04/05', '3/20'],
      ['March 15', '15'],
      ['May 2023', '2023'],
      ['2023-04', '2019'],
    ] as const)
      expect(canonicalKey(date)).not.toBe(canonicalKey(number));
  });

  it('is told from other days in lists and equations', () => {
    expect(canonicalKey('2020-01-02, 2020-02-01')).not.toBe(canonicalKey('2020-01-02, 2020-03-01'));
    expect(canonicalKey('2020-01-02, 2020-02-01')).toBe(canonicalKey('2020-02-01 \\text{ and } 2020-01-02'));
    expect(canonicalKey('d = 2020-01-02')).toBe(canonicalKey('2020-01-02'));
  });

  it('leaves arithmetic alone', () => {
    for (const text of [
      '2000-100',
      '3/4/5',
      '2023 - 4 - 5',
      '12-5-10',
      '1.234',
      '10/4',
      '99/100/3',
      'x-1-2',
      '2021-07-15+1',
    ])
      expect(readDate(text)).toBeNull();
    expect(canonicalKey('2023 - 4 - 5')).toBe('2014');
    expect(canonicalKey('30 February 2020')).not.toBe(canonicalKey('30'));
  });
});
