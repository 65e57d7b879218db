import { describe, expect, it } from 'vitest';
import type { Course, Teaching } from '../../../src/theory/dynamics.ts';
import { criticalChance, limitOf } from '../../../src/theory/limit.ts';
import { follow } from '../../../src/theory/trajectory.ts';
import { conserved, separatrixOpposite } from '../../../src/theory/two-agents.ts';

const course = (k: number, agents: number, teaching: Teaching, wrong = 1): Course => ({
  learners: Array.from({ length: agents }, () => ({ k, eta: 1 })),
  teaching,
  wrong,
});

const expectCourse = (of: Course, start: number[], times: number[], expected: number[][]) => {
  const moments = follow(of, start, times);
  expect(moments.map(({ time }) => time)).toEqual(times);
  for (const [at, { p }] of moments.entries()) {
    for (const [n, value] of p.entries()) expect(value).toBeCloseTo(expected[at]?.[n] ?? Number.NaN, 7);
  }
};

describe('two agents', () => {
  it('that vote for themselves go apart', () => {
    expectCourse(
      course(8, 2, 'self'),
      [0.9, 0.2],
      [5, 50, 200],
      [
        [0.9510264191951057, 0.0734615451959553],
        [0.9924713520512553, 0.008020267071502291],
        [0.9980950953693253, 0.0019355293199493937],
      ],
    );
    expect(limitOf(course(8, 2, 'self'), [0.9, 0.2])).toEqual({ kind: 'settles', to: [1, 0] });
  });

  it('that teach each other learn together what one of them knows', () => {
    expectCourse(
      course(15, 2, 'predecessor'),
      [0.9, 0.2],
      [5, 10, 200],
      [
        [0.8642383157554682, 0.7031136482139467],
        [0.9491749705324323, 0.920678414769479],
        [0.9985925849964858, 0.9985730973990999],
      ],
    );
    expect(limitOf(course(15, 2, 'predecessor'), [0.9, 0.2])).toEqual({ kind: 'settles', to: [1, 1] });
  });

  it.each([
    { start: [0.6, 0.3], to: 0 },
    { start: [0.8, 0.15], to: 0 },
    { start: [0.55, 0.46], to: 1 },
    { start: [0.5, 0.6], to: 1 },
  ])('end at $to from $start: the sum decides, and what one knows can be lost', ({ start, to }) => {
    for (const k of [8, 15]) {
      expect(limitOf(course(k, 2, 'predecessor'), start)).toEqual({ kind: 'settles', to: [to, to] });
    }
  });

  it('on the line p_A + p_B = 1 are said to stand on the separatrix', () => {
    expect(limitOf(course(8, 2, 'predecessor'), [0.7, 0.3])).toEqual({ kind: 'separatrix' });
    expect(limitOf(course(8, 2, 'predecessor'), [0.5, 0.5])).toEqual({ kind: 'separatrix' });
    expect(limitOf(course(8, 2, 'predecessor'), [0.7, 0.30001])).toEqual({ kind: 'settles', to: [1, 1] });
  });

  it('keep F(p_A) − F(p_B), and η_B F_A − η_A F_B where they differ', () => {
    const equal = { k: 8, eta: 1 };
    expect(conserved(equal, equal, 0.9, 0.2)).toBeCloseTo(2.9620110200584264, 8);
    const [a, b] = [
      { k: 8, eta: 1 },
      { k: 16, eta: 2 },
    ];
    const [end] = follow({ learners: [a, b], teaching: 'predecessor', wrong: 1 }, [0.9, 0.2], [3]);
    const [pA = 0, pB = 0] = end?.p ?? [];
    expect(conserved(a, b, pA, pB)).toBeCloseTo(conserved(a, b, 0.9, 0.2), 6);
  });

  it('that differ have a bent separatrix, on which their course stays', () => {
    const [a, b] = [
      { k: 8, eta: 1 },
      { k: 8, eta: 2 },
    ];
    const opposite = separatrixOpposite(a, b, 0.9);
    expect(opposite).toBeLessThan(0.06);
    const of: Course = { learners: [a, b], teaching: 'predecessor', wrong: 1 };
    expect(limitOf(of, [0.9, opposite])).toEqual({ kind: 'separatrix' });
    expect(limitOf(of, [0.9, opposite + 0.001])).toEqual({ kind: 'settles', to: [1, 1] });
    expect(limitOf(of, [0.9, opposite - 0.001])).toEqual({ kind: 'settles', to: [0, 0] });
    expect(separatrixOpposite(a, b, 0.1)).toBeCloseTo(1 - opposite, 6);
  });

  it('do not move from 0 and 1', () => {
    expectCourse(course(8, 2, 'predecessor'), [1, 0], [10], [[1, 0]]);
    expectCourse(course(8, 2, 'self'), [0, 1], [10], [[0, 1]]);
  });
});

describe('a ring of three', () => {
  it('takes (.9, .2, .3) to 0 in the direction of the paper and to 1 in that of its code', () => {
    expectCourse(
      course(8, 3, 'predecessor'),
      [0.9, 0.2, 0.3],
      [10, 300],
      [
        [0.36841012127099226, 0.6103952092836693, 0.5056008989142163],
        [0.001374993197555305, 0.0013735950857821522, 0.0013738674759884658],
      ],
    );
    for (const k of [8, 12, 15]) {
      expect(limitOf(course(k, 3, 'predecessor'), [0.9, 0.2, 0.3])).toMatchObject({ to: [0, 0, 0] });
      expect(limitOf(course(k, 3, 'successor'), [0.9, 0.2, 0.3])).toMatchObject({ to: [1, 1, 1] });
      expect(limitOf(course(k, 3, 'predecessor'), [0.9, 0.3, 0.2])).toMatchObject({ to: [1, 1, 1] });
    }
  });

  it('turns at a chance of the third that its direction shifts', () => {
    const turn = (k: number, teaching: Teaching, first: number, second: number) =>
      criticalChance(course(k, 3, teaching), [first, second, 0.5], 2);
    expect(turn(8, 'predecessor', 0.9, 0.2)).toBeCloseTo(0.301637, 5);
    expect(turn(8, 'successor', 0.9, 0.2)).toBeCloseTo(0.243181, 5);
    expect(turn(15, 'predecessor', 0.8, 0.6)).toBeCloseTo(0.110058, 5);
    expect(turn(15, 'successor', 0.8, 0.6)).toBeCloseTo(0.179881, 5);
  });

  it('of certain agents has no such point', () => {
    expect(criticalChance(course(8, 3, 'predecessor'), [0.95, 0.95, 0.5], 2, 0.4)).toBeNull();
  });
});

describe('other ways of teaching', () => {
  it('by the majority of two peers follow the mean of their pulls', () => {
    expectCourse(
      course(15, 3, 'peer-majority'),
      [0.9, 0.2, 0.3],
      [300],
      [[0.0009418975483371743, 0.0009325162244745177, 0.0009359444490346542]],
    );
  });

  it('agree for two agents, whatever they are called', () => {
    for (const teaching of ['successor', 'peer-majority', 'pooled'] as const) {
      const [same] = follow(course(8, 2, teaching), [0.9, 0.2], [5]);
      const [ring] = follow(course(8, 2, 'predecessor'), [0.9, 0.2], [5]);
      for (const [n, p] of (same?.p ?? []).entries()) expect(p).toBeCloseTo(ring?.p[n] ?? Number.NaN, 9);
    }
  });

  it('start to learn below 1/2 where wrong answers scatter', () => {
    expect(limitOf(course(8, 2, 'predecessor', 1), [0.4, 0.4])).toMatchObject({ to: [0, 0] });
    for (const teaching of ['predecessor', 'self', 'pooled', 'peer-majority'] as const) {
      expect(limitOf(course(8, 2, teaching, 7), [0.4, 0.4])).toMatchObject({ to: [1, 1] });
    }
  });
});
