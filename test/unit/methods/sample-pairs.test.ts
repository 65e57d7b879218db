import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countPair } from '../../../src/domain/diagnostics/count-votes.ts';
import { PAIR_RATES } from '../../../src/domain/diagnostics/rates.ts';
import { countSamplePair, type SampleCounts } from '../../../src/methods/sample-pairs.ts';
import { sumPairs } from '../../support/figures.ts';

const GOLD = '5';

function countsOf(keys: readonly (string | null)[], gold: string | null = GOLD): SampleCounts {
  const byKey = new Map<string, number>();
  for (const key of keys) if (key !== null) byKey.set(key, (byKey.get(key) ?? 0) + 1);
  return {
    rollouts: keys.length,
    byKey,
    rightKeys: gold === null ? null : new Set([...byKey.keys()].filter((key) => key === gold)),
  };
}

/** The table of single samples, by drawing every pair of them. */
function drawAll(a: readonly (string | null)[], b: readonly (string | null)[], same: boolean) {
  const label = (key: string | null) => (key === null ? null : { key, answer: key });
  const truth = { key: GOLD, isRight: (answer: string) => answer === GOLD };
  const pairs = a.flatMap((first, i) =>
    b.flatMap((second, j) =>
      same && i === j ? [] : [countPair(label(first), label(second), truth, () => false)],
    ),
  );
  return { sum: sumPairs(...pairs), pairs: pairs.length };
}

describe('one sample of each of two agents', () => {
  const keys = fc.array(fc.constantFrom('5', '4', '3', null), { minLength: 1, maxLength: 6 });

  it('counts as the mean over every pair of their rollouts does', () => {
    fc.assert(
      fc.property(keys, keys, fc.boolean(), (a, other, same) => {
        const b = same ? a : other;
        const { sum, pairs } = drawAll(a, b, same);
        const counts = countSamplePair(countsOf(a), countsOf(b), same);
        expect(counts === null).toBe(pairs === 0);
        for (const [name, value] of Object.entries(counts ?? {})) {
          expect(value, name).toBeCloseTo(sum[name as keyof typeof sum] / pairs, 9);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the identities of the appendix, and its bound without a truth', () => {
    const counts = sumPairs(
      countSamplePair(countsOf(['5', '5', '4']), countsOf(['5', '4', null])) ?? {},
      countSamplePair(countsOf(['1', '2']), countsOf(['1', '1', '5'])) ?? {},
    );
    const value = (name: keyof typeof PAIR_RATES) => PAIR_RATES[name](counts).value ?? Number.NaN;
    const [c, u] = [value('label_complementarity'), value('label_oracle')];
    expect(value('both_right')).toBeCloseTo(u - c, 9);
    expect(value('both_wrong')).toBeCloseTo(1 - u, 9);
    expect(value('accuracy_agent') + value('accuracy_peer')).toBeCloseTo(2 * (u - c) + c, 9);
    expect(c).toBeLessThanOrEqual(value('complementarity_bound'));
  });

  it('has no right and wrong without a truth', () => {
    const counts = sumPairs(countSamplePair(countsOf(['1'], null), countsOf(['1', '2'], null)) ?? {});
    expect(PAIR_RATES.agreement(counts).value).toBe(0.5);
    expect(PAIR_RATES.label_complementarity(counts)).toMatchObject({ value: null, denominator: 0 });
  });
});
