import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Case, describeCase, runCase } from './conformance/corpora.ts';
import { reportRequests } from './conformance/requests.ts';
import { compareReadings, reportRollouts } from './conformance/rollouts.ts';
import { count, emptyTally, formatTally, share, type Tally } from './conformance/tally.ts';

/**
 * Runs corpora through the engine. Of each `--data DIR`: math-verify.json, other.json, reported.json, grading.json (pairs
 * by family, none of which may match falsely) and reports.jsonl (requests, sent to a whole server); of DIR/../rollouts (or
 * `--rollouts DIR`) the completions of gsm8k.jsonl and mmlu.jsonl. `--list` prints the misses, and the completions that are
 * taken to state no answer. `--readings FILE` writes what is read in every completion, or says what differs from the FILE
 * that another state of the engine wrote. Exits with 1 when a file is below its wanted share.
 */
const WANTED: Readonly<Record<string, { share: number; falseMatches?: number }>> = {
  'math-verify.json': { share: 0.985 },
  'other.json': { share: 0.992 },
  'reported.json': { share: 1 },
  'grading.json': { share: 0.995, falseMatches: 0 },
};
const WANTED_REQUESTS = 0.97;
const ROLLOUTS = [
  ['gsm8k.jsonl', 'boxed'],
  ['mmlu.jsonl', 'choice'],
] as const;

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    rollouts: { type: 'string' },
    readings: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
if (values.data.length === 0 && values.rollouts === undefined) {
  console.error(
    'usage: npm run conformance -- --data DIR [--data DIR] [--rollouts DIR] [--readings FILE] [--list]',
  );
  process.exit(2);
}

let failed = false;
for (const folder of values.data) {
  for (const file of Object.keys(WANTED)) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    if (!reportPairs(file, JSON.parse(readFileSync(path, 'utf8')) as Case[])) failed = true;
  }
  const requests = join(folder, 'reports.jsonl');
  if (existsSync(requests)) {
    console.log('\nreports.jsonl');
    const right = await reportRequests(readFileSync(requests, 'utf8').trim().split('\n'), values.list);
    console.log(`  wanted ${100 * WANTED_REQUESTS} %`);
    if (right < WANTED_REQUESTS) failed = true;
  }
}
const rollouts = values.rollouts ?? join(values.data[0] ?? '', '..', 'rollouts');
const present = ROLLOUTS.map(([file, mode]) => ({ path: join(rollouts, file), mode })).filter(({ path }) =>
  existsSync(path),
);
for (const { path, mode } of present) reportRollouts(path, mode, values.list);
if (values.readings !== undefined) {
  compareReadings(
    present.map(({ path }) => path),
    values.readings,
  );
}
process.exitCode = failed ? 1 : 0;

/** A case that is a matter of policy counts in its family, not in the total. */
function reportPairs(file: string, cases: readonly Case[]): boolean {
  const families = new Map<string, Tally>();
  const total = emptyTally();
  for (const item of cases) {
    const outcome = runCase(item);
    if (outcome === null) continue;
    const policy = item.certainty === 'policy';
    const family = `${item.family ?? item.certainty ?? 'all'}${policy && item.family !== undefined ? ' (policy)' : ''}`;
    const tally = families.get(family) ?? emptyTally();
    families.set(family, tally);
    const right = count(outcome, policy ? [tally] : [tally, total]);
    if (!right && values.list) console.log(`  miss ${describeCase(item, outcome)}`);
  }
  console.log(`\n${file}`);
  for (const [family, tally] of families) console.log(formatTally(family, tally));
  const wanted = WANTED[file];
  console.log(`${formatTally('total', total)}   wanted ${(100 * (wanted?.share ?? 0)).toFixed(1)} %`);
  return (
    share(total) >= (wanted?.share ?? 0) &&
    total.falseMatches <= (wanted?.falseMatches ?? Number.POSITIVE_INFINITY)
  );
}
