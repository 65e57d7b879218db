import { describe, expect, it } from 'vitest';
import { CohortLimit } from '../../../src/theory/cohort-limit.ts';
import { CourseTable, type PeerTeaching } from '../../../src/theory/course-table.ts';
import { type Course, driftOf } from '../../../src/theory/dynamics.ts';
import { limitOf } from '../../../src/theory/limit.ts';
import { toLogOdds } from '../../../src/theory/log-odds.ts';

const TEACHING: readonly PeerTeaching[] = ['predecessor', 'successor', 'peer-majority', 'pooled'];

const courseOf = (agents: number, teaching: PeerTeaching, k: number, wrong: number): Course => ({
  learners: Array.from({ length: agents }, () => ({ k, eta: 1 })),
  teaching,
  wrong,
});

describe('the drift from tables', () => {
  it.each(TEACHING)('is that of the dynamics within the error of interpolation for %s', (teaching) => {
    const start = [0.83, 0.31, 0.12, 0.55];
    const exact = driftOf(courseOf(4, teaching, 6, 3))(start);
    const speed = new Float64Array(4);
    new CourseTable({ agents: 4, k: 6, wrong: 3, teaching }).drift(
      Float64Array.from(start, toLogOdds),
      speed,
    );
    for (const [n, value] of exact.entries()) expect(speed[n]).toBeCloseTo(value, 4);
  });
});

describe('the limit of equal agents', () => {
  it.each(TEACHING)('is that of the adaptive integration for %s', (teaching) => {
    const starts = [
      [0.9, 0.2, 0.3],
      [0.9, 0.3, 0.2],
      [0.9, 0.2, 0.6],
      [0.8, 0.15, 0.1],
      [0.45, 0.5, 0.6],
      [0.2, 0.4, 0.35],
    ];
    for (const wrong of [1, 3]) {
      const limit = new CohortLimit({ agents: 3, k: 8, wrong, teaching });
      for (const start of starts) {
        expect(limitOf(courseOf(3, teaching, 8, wrong), start), `${start}`).toEqual({
          kind: 'settles',
          to: start.map(() => limit.endOf(start)),
        });
      }
    }
  });

  it('turns with the direction of a ring', () => {
    const ends = (['predecessor', 'successor'] as const).map((teaching) =>
      new CohortLimit({ agents: 3, k: 8, wrong: 1, teaching }).endOf([0.9, 0.2, 0.3]),
    );
    expect(ends).toEqual([0, 1]);
  });

  it('is one half on the separatrix, where chance decides, and certain beside it', () => {
    const limit = new CohortLimit({ agents: 2, k: 8, wrong: 1, teaching: 'predecessor' });
    expect([limit.endOf([0.7, 0.3]), limit.endOf([0.71, 0.3]), limit.endOf([0.69, 0.3])]).toEqual([
      0.5, 1, 0,
    ]);
  });

  it('does not depend on where a ring begins', () => {
    const limit = new CohortLimit({ agents: 4, k: 5, wrong: 2, teaching: 'predecessor' });
    const start = [0.85, 0.15, 0.4, 0.3];
    const turned = start.map((_, turn) => limit.endOf([...start.slice(turn), ...start.slice(0, turn)]));
    expect(new Set(turned).size).toBe(1);
  });
});
