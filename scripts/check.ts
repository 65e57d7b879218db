import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, reportCounts } from '../test/support/closing-line.ts';

/** All that a change must pass, as scripts of package.json. A failed one stops nothing: one run names everything wrong. */
const STAGES = [
  'tools',
  'format:check',
  'lint',
  'typecheck',
  'unused',
  'test',
  'test:python',
  'test:schemathesis',
] as const;

/** Runs one stage. The tests count one by one, as their reporter left them; any other stage counts as one. */
function runStage(stage: string, countsFile: string): Counts {
  console.log(`\n== ${stage}`);
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', stage], {
    stdio: 'inherit',
    env: { ...process.env, CLOSING_COUNTS_FILE: countsFile },
  });
  const { passed, failed } = readCounts(countsFile) ?? { passed: status === 0 ? 1 : 0, failed: 0 };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${stage} ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return { passed, failed: status !== 0 && failed === 0 ? 1 : failed };
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
    const results = STAGES.map((stage, index) => runStage(stage, join(folder, String(index))));
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
