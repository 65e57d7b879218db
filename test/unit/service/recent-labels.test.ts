import { describe, expect, it } from 'vitest';
import { RecentLabels } from '../../../src/service/recent-labels.ts';

const noteAll = (recent: RecentLabels, labels: readonly string[], agent = 'b') =>
  labels.map((key, at) => recent.note('c', agent, `p${at}`, key));

describe('agreement by chance', () => {
  it('compares a label with what the peer said of other prompts, and never of its own', () => {
    const recent = new RecentLabels();
    noteAll(recent, ['4', '4', '5']);
    expect(recent.chance('c', 'b', 'p0', '4')).toEqual({ compared: 2, same: 1 });
    expect(recent.chance('c', 'b', 'new', '4')).toEqual({ compared: 3, same: 2 });
    expect(recent.chance('c', 'b', 'new', '6')).toEqual({ compared: 3, same: 0 });
  });

  it('looks at the last 32 labels, and at none of another cohort or agent', () => {
    const recent = new RecentLabels();
    noteAll(recent, [...Array(40).fill('4'), ...Array(32).fill('5')]);
    expect(recent.chance('c', 'b', 'new', '4')).toEqual({ compared: 32, same: 0 });
    expect(recent.chance('c', 'b', 'new', '5')).toEqual({ compared: 32, same: 32 });
    expect(recent.chance('c', 'a', 'new', '5')).toEqual({ compared: 0, same: 0 });
    expect(recent.chance('other', 'b', 'new', '5')).toEqual({ compared: 0, same: 0 });
  });
});

describe('the diversity of labels', () => {
  it('is known from twenty on: the share of the commonest, and of different ones', () => {
    const looks = noteAll(new RecentLabels(), [
      ...Array(10).fill('4'),
      ...Array.from({ length: 10 }, (_, at) => `${at}x`),
    ]);
    expect(looks.slice(0, 19).every((look) => look === null)).toBe(true);
    expect(looks[19]).toEqual({ commonest: 0.5, distinct: 11 / 20 });
  });

  it('is that of the latest hundred', () => {
    const looks = noteAll(new RecentLabels(), [
      ...Array(100).fill('4'),
      ...Array.from({ length: 50 }, (_, at) => `${at}`),
    ]);
    // One of the fifty is a 4 as well.
    expect(looks.at(-1)).toEqual({ commonest: 0.51, distinct: 0.5 });
  });
});

it('cohorts that were not heard of for longest make room', () => {
  const recent = new RecentLabels();
  for (let at = 0; at <= 2_000; at++) recent.note(`c${at}`, 'a', 'p', '4');
  expect(recent.chance('c0', 'a', 'q', '4').compared).toBe(0);
  expect(recent.chance('c2000', 'a', 'q', '4').compared).toBe(1);
});
