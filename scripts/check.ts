import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, reportCounts } from '../test/support/closing-line.ts';

type Stage = { readonly name: string; readonly command: readonly string[] };

/** All of what a change must pass. A failed stage does not stop the next: one run names everything that is wrong. */
const STAGES: readonly Stage[] = [
  { name: 'format', command: ['biome', 'check', '--linter-enabled=false', '--error-on-warnings', '.'] },
  { name: 'lint', command: ['biome', 'lint', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.check.json'] },
  { name: 'unused', command: ['knip'] },
  { name: 'tests', command: ['vitest', 'run'] },
];

/** Runs one stage. The tests count one by one, as their reporter left them; any other stage counts as one. */
function runStage({ name, command: [program = '', ...args] }: Stage, countsFile: string): Counts {
  console.log(`\n== ${name}: ${[program, ...args].join(' ')}`);
  const started = performance.now();
  // npm run puts node_modules/.bin first on the PATH, where these programs are.
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, CLOSING_COUNTS_FILE: countsFile },
  });
  const counts = readCounts(countsFile) ?? { passed: status === 0 ? 1 : 0, failed: 0 };
  const failed = status !== 0 && counts.failed === 0 ? 1 : counts.failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${name}: ${failed === 0 ? 'passed' : `FAILED ${error?.message ?? ''}`} in ${seconds} s`);
  return { passed: counts.passed, failed };
}

/** The counts that a stage left behind; none if it is not a run of tests. */
function readCounts(file: string): Counts | undefined {
  try {
    const [passed = 0, failed = 0] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    return { passed, failed };
  } catch {
    return undefined;
  }
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'peervote-check-'));
  try {
    const results = STAGES.map((stage) => runStage(stage, join(folder, stage.name)));
    const sum = (pick: (counts: Counts) => number) => results.reduce((total, each) => total + pick(each), 0);
    const total = { passed: sum((each) => each.passed), failed: sum((each) => each.failed) };
    console.log('');
    reportCounts(total);
    process.exitCode = total.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
