import { readFileSync } from 'node:fs';
import { runners as answers } from './vectors/answers.ts';
import { runners as code } from './vectors/code.ts';
import { findDifference } from './vectors/compare.ts';
import { runners as diagnostics } from './vectors/diagnostics.ts';
import { runners as extensions } from './vectors/extensions.ts';
import { runners as majk } from './vectors/majk.ts';
import { runners as methods } from './vectors/methods.ts';
import { theoryCases, runners as theoryRunners } from './vectors/theory.ts';
import type { Runners, Vectors } from './vectors/vector.ts';
import { runners as votes } from './vectors/votes.ts';

/**
 * Runs reference vectors through our code: `npm run vectors -- PATH/vectors.json`. Prints each miss with what differs,
 * each stated deviation, what no runner covers, and `N of N vectors`. Exits with 1 on a miss.
 */
const AREAS: readonly Runners[] = [
  answers,
  code,
  votes,
  methods,
  diagnostics,
  extensions,
  majk,
  theoryRunners,
];

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: npm run vectors -- PATH/vectors.json');
  process.exit(2);
}

const { vectors: wanted, theory } = JSON.parse(readFileSync(path, 'utf8')) as Vectors;
const uncovered: string[] = [];
let passed = 0;
for (const vector of wanted) {
  const runners = runnersOf(vector.id);
  if (runners.length === 0) uncovered.push(vector.id);
  const differences: string[] = [];
  for (const run of runners) {
    const { got, expected = vector.expected, deviation } = await run(vector);
    if (deviation !== undefined) console.log(`note  ${vector.id}: ${deviation}`);
    differences.push(...[findDifference(got, expected) ?? []].flat());
  }
  for (const difference of differences) console.log(`miss  ${vector.id}: ${difference}`);
  if (runners.length > 0 && differences.length === 0) passed += 1;
}
if (uncovered.length > 0) console.log(`\nno runner for ${uncovered.length}: ${uncovered.join(', ')}`);
console.log(`\n${passed} of ${wanted.length} vectors`);

const cases = theoryCases(theory);
const missed = cases.flatMap(({ name, got, expected }) => {
  const difference = findDifference(got, expected);
  return difference === null ? [] : [`miss  theory, ${name}: ${difference}`];
});
for (const miss of missed) console.log(miss);
console.log(`${cases.length - missed.length} of ${cases.length} cases of the theory`);
process.exitCode = passed + uncovered.length === wanted.length && missed.length === 0 ? 0 : 1;

/** Of each area the runner with the longest prefix of this id: several may each look at a part of one vector. */
function runnersOf(id: string): readonly Runners[string][] {
  return AREAS.flatMap((area) => {
    const fitting = Object.keys(area).filter((prefix) => id.startsWith(prefix));
    const longest = fitting.reduce((a, b) => (b.length > a.length ? b : a), '');
    return area[longest] ?? [];
  });
}
