import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** How many checks held and how many did not; both are whole numbers. */
export type Counts = { readonly passed: number; readonly failed: number };

/**
 * States the outcome of one run. By itself the run prints the closing line `N passed, N failed`; inside a larger run,
 * which names a file in `CLOSING_COUNTS_FILE`, it leaves its counts there instead, so that the whole prints one line.
 */
export function reportCounts({ passed, failed }: Counts): void {
  const file = process.env.CLOSING_COUNTS_FILE;
  if (file) appendFileSync(file, `${passed} ${failed}\n`);
  else console.log(`${passed} passed, ${failed} failed`);
}

/**
 * The vitest reporter behind the closing line. A file that cannot be loaded, an error outside any test and a run without
 * a test are failures. Under `CI` so is a test that was skipped or left to do: there, nothing may be left out.
 */
export class ClosingLine implements Reporter {
  #counts: Counts = { passed: 0, failed: 0 };

  onInit(): void {
    // Coverage and its thresholds are judged after every reporter is done, and must not follow the closing line.
    process.once('exit', (code) => {
      const unexplained = code !== 0 && this.#counts.failed === 0;
      reportCounts(unexplained ? { ...this.#counts, failed: 1 } : this.#counts);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const withState = (state: string) => states.filter((each) => each === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const leftOut = process.env.CI ? withState('skipped') : 0;
    if (leftOut > 0) console.error(`${leftOut} tests were left out; under CI each one must run.`);

    this.#counts = { passed: withState('passed'), failed: withState('failed') + broken + leftOut };
    if (this.#counts.failed > 0 || this.#counts.passed === 0) process.exitCode = 1;
  }
}
