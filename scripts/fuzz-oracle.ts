import { parseArgs } from 'node:util';
import { fuzz } from './fuzz-oracle/run.ts';

/**
 * Holds the answer engine against an oracle that shares nothing with it: random answers, rewritten to an equal form or
 * changed in one token, `--pairs` of them (default 100000) from `--seed` (default 1). Prints false positives and negatives
 * by family, with `--list` the pairs themselves. Exits with 1 on a false positive.
 */
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});

let [pairs, fp, fn] = [0, 0, 0];
for (const [family, tally] of fuzz(Number(values.pairs), Number(values.seed))) {
  print(family, tally.pairs, tally.falsePositives.length, tally.falseNegatives.length);
  pairs += tally.pairs;
  fp += tally.falsePositives.length;
  fn += tally.falseNegatives.length;
  if (!values.list) continue;
  for (const { a, b } of tally.falsePositives) console.log(`  fp ${JSON.stringify([a, b])}`);
  for (const { a, b } of tally.falseNegatives) console.log(`  fn ${JSON.stringify([a, b])}`);
}
print('total', pairs, fp, fn);
process.exitCode = fp === 0 ? 0 : 1;

function print(family: string, count: number, positives: number, negatives: number): void {
  const numbers = [`pairs ${count}`, `fp ${positives}`, `fn ${negatives}`];
  console.log(`${family.padEnd(20)} ${numbers.map((text) => text.padEnd(14)).join('')}`.trimEnd());
}
