import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/cli/simulate/seeded.ts';
import { DEFAULT_RELIABILITY_RULES, type LabelRow } from '../../../src/domain/plan.ts';
import { groupAlike } from '../../../src/methods/alike.ts';
import { countAnchors, estimateTrust } from '../../../src/methods/reliability.ts';

const RULES = { ...DEFAULT_RELIABILITY_RULES, classes: 4 };

interface Drawn {
  /** Chance of a right label, by agent. */
  readonly right: Readonly<Record<string, number>>;
  /** Agents that copy another one. */
  readonly copies?: Readonly<Record<string, string>>;
  readonly rows?: number;
  readonly seed?: number;
}

/** Labels of agents that err independently among 4 answers, but for copies; label 0 is right. */
function draw({ right, copies = {}, rows = 400, seed = 1 }: Drawn): LabelRow[] {
  const random = seeded(seed);
  return Array.from({ length: rows }, (_, at) => {
    const sides: Record<string, number> = {};
    for (const [agent, chance] of Object.entries(right)) {
      sides[agent] = random() < chance ? 0 : 1 + Math.floor(3 * random());
    }
    for (const [agent, from] of Object.entries(copies)) sides[agent] = sides[from] ?? 0;
    return { promptId: `p${at}`, round: 0, sides };
  });
}

const names = (rows: readonly LabelRow[]) => Object.keys(rows[0]?.sides ?? {});
const trusted = (rows: readonly LabelRow[], anchors?: Parameters<typeof estimateTrust>[3]) =>
  estimateTrust(rows, names(rows), RULES, anchors);

describe('agents that are alike', () => {
  it('are those that agree with each other by .1 more than with anybody else', () => {
    for (const seed of [1, 2, 3]) {
      const right = { a: 0.8, b: 0.7, c: 0.75, d: 0.4 };
      const rows = draw({ right, copies: { e: 'd' }, seed });
      expect(groupAlike(rows, names(rows))).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
    }
  });

  it('are nobody where all err by themselves, however good or bad they are', () => {
    for (const seed of [1, 2, 3, 4]) {
      const rows = draw({ right: { a: 0.85, b: 0.8, c: 0.6, d: 0.3, e: 0.75 }, seed });
      expect(groupAlike(rows, names(rows))).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
    }
  });

  it('cannot be told among three, nor from a handful of prompts', () => {
    const three = draw({ right: { a: 0.8, b: 0.3 }, copies: { c: 'b' } });
    expect(groupAlike(three, names(three))).toHaveLength(3);
    const few = draw({ right: { a: 0.8, b: 0.7, c: 0.3 }, copies: { d: 'c' }, rows: 29 });
    expect(groupAlike(few, names(few))).toHaveLength(4);
  });
});

describe('trust', () => {
  it('takes agents that are alike for one witness, so that two bad ones do not outvote the others', () => {
    const rows = draw({ right: { a: 0.75, b: 0.7, e: 0.72, c: 0.3 }, copies: { d: 'c' } });
    const { reliability, parts } = trusted(rows);
    expect(parts).toEqual({ a: 1, b: 1, e: 1, c: 0.5, d: 0.5 });
    expect(reliability.a).toBeCloseTo(0.75, 1);
    expect(reliability.b).toBeCloseTo(0.7, 1);
    expect(reliability.c).toBeCloseTo(0.3, 1);
    expect(reliability.d).toBe(reliability.c);
  });

  it('says nothing of anybody where fewer than three witnesses are left', () => {
    const rows = draw({ right: { a: 0.8, c: 0.3 }, copies: { b: 'a', d: 'c' } });
    expect(trusted(rows)).toEqual({ reliability: {}, parts: { a: 0.5, b: 0.5, c: 0.5, d: 0.5 } });
  });

  it('goes by known truths where there are five of them, even of three agents of which two are bad twins', () => {
    const rows = draw({ right: { a: 0.7, b: 0.3 }, copies: { c: 'b' } });
    const misled = trusted(rows).reliability;
    expect(misled.a ?? 0).toBeLessThan(misled.b ?? 0);
    const known = rows.slice(0, 60).map((row) => ({
      ...row,
      right: names(rows).filter((agent) => row.sides[agent] === 0),
    }));
    const anchors = countAnchors(undefined, known);
    const { reliability } = trusted(rows, anchors);
    const rights = known.filter(({ right }) => right.includes('a')).length;
    expect(reliability.a).toBeCloseTo((rights + 3) / 64, 5);
    expect(reliability.b ?? 1).toBeLessThan(0.5);
    const four = countAnchors(undefined, known.slice(0, 4));
    expect(trusted(rows, four).reliability).toEqual(misled);
  });

  it('counts known truths of now more than those of long ago, sixty of them at most', () => {
    const row = (right: readonly string[]): LabelRow => ({ promptId: 'p', round: 0, sides: { a: 0 }, right });
    const wrongs = countAnchors(
      undefined,
      Array.from({ length: 300 }, () => row([])),
    );
    expect(wrongs?.a).toEqual({ right: 0, seen: 60 });
    const later = countAnchors(
      wrongs,
      Array.from({ length: 120 }, () => row(['a'])),
    );
    expect(later?.a?.seen).toBeCloseTo(60, 3);
    expect((later?.a?.right ?? 0) / 60).toBeGreaterThan(0.85);
    expect(countAnchors(undefined, [{ promptId: 'p', round: 0, sides: { a: 0 } }])).toBeUndefined();
  });
});
