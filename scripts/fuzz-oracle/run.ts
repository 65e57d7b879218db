import { canonicalKey } from '../../src/answers/canonical-key.ts';
import { grade } from '../../src/answers/grade.ts';
import { Chance } from './chance.ts';
import { functionPair, SOILS } from './functions.ts';
import type { Pair } from './pair.ts';
import { equationPair, inequalityPair, solvedPair } from './relations.ts';
import { decimalPair, intervalPair, listPair, tuplePair, unitPair } from './structures.ts';

/** The next pair of a family; null where the oracle does not decide what was drawn. */
type Family = (chance: Chance) => Pair | null;

const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(
    Object.entries(SOILS).map(([name, soil]) => [name, (chance: Chance) => functionPair(soil, chance)]),
  ),
  equation: equationPair,
  inequality: inequalityPair,
  solved: solvedPair,
  interval: intervalPair,
  tuple: tuplePair,
  list: listPair,
  decimal: decimalPair,
  unit: unitPair,
};

/** What came of the pairs of one family. */
export interface Tally {
  pairs: number;
  /** Different answers that are one vote or accepted for each other. */
  falsePositives: Pair[];
  /** Equal answers that are not accepted. */
  falseNegatives: Pair[];
}

/** Judges `pairs` pairs, the same ones for the same seed, in turn from each family. */
export function fuzz(pairs: number, seed: number): Map<string, Tally> {
  const chance = new Chance(seed);
  const names = Object.keys(FAMILIES);
  const tallies = new Map<string, Tally>(
    names.map((name) => [name, { pairs: 0, falsePositives: [], falseNegatives: [] }]),
  );
  for (let done = 0; done < pairs; ) {
    const name = names[done % names.length] ?? '';
    const pair = FAMILIES[name]?.(chance) ?? null;
    const tally = tallies.get(name);
    if (pair === null || tally === undefined) continue;
    done += 1;
    tally.pairs += 1;
    const accepted = grade(pair.b, pair.a, 'raw').equal || canonicalKey(pair.a) === canonicalKey(pair.b);
    if (accepted && !pair.equal) tally.falsePositives.push(pair);
    if (!accepted && pair.equal) tally.falseNegatives.push(pair);
  }
  return tallies;
}
