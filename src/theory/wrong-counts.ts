import { binomialPmf } from './binomial.ts';

/** `chances[m][t]`: how often the largest count of a wrong answer is m and t wrong answers have it. */
export type LargestCounts = readonly (readonly number[])[];

/**
 * The largest counts when `rest` answers fall on `wrong` equally likely ones, each by itself. `rest` and `wrong` whole,
 * `wrong` >= 1. Takes about wrong · rest³ steps.
 */
export function largestWrongCounts(rest: number, wrong: number): LargestCounts {
  return Array.from({ length: rest + 1 }, (_, most) => classesAt(most, rest, wrong));
}

/** For each t: the chance that t classes hold exactly `most` and the others fewer. Adds the classes one by one. */
function classesAt(most: number, rest: number, wrong: number): readonly number[] {
  const limit = most === 0 ? wrong : Math.min(wrong, Math.floor(rest / most));
  let ways = [[1, ...new Array<number>(rest).fill(0)]];
  for (let left = wrong; left >= 1; left--) {
    const next = Array.from({ length: limit + 1 }, () => new Array<number>(rest + 1).fill(0));
    for (const [t, row] of ways.entries()) {
      for (const [used, chance] of row.entries()) {
        if (chance === 0) continue;
        const pmf = binomialPmf(rest - used, 1 / left);
        for (let here = 0; here <= Math.min(most, rest - used); here++) {
          const target = next[here === most ? t + 1 : t];
          if (target !== undefined) {
            target[used + here] = (target[used + here] ?? 0) + chance * (pmf[here] ?? 0);
          }
        }
      }
    }
    ways = next;
  }
  const chances = ways.map((row) => row[rest] ?? 0);
  // With t = 0 nobody holds `most`, so it is not the largest count.
  return chances.map((chance, t) => (t === 0 ? 0 : chance));
}
