import type { Clock } from '../domain/clock.ts';
import { type Increment, type StepIncrement, Tally } from '../domain/diagnostics/tally.ts';
import type { Store } from '../store/store.ts';
import { getOrAdd } from './get-or-add.ts';
import { RecentLabels } from './recent-labels.ts';
import type { Logger } from './telemetry.ts';
import { WriteBehind } from './write-behind.ts';

export interface DiagnosticsLogParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long increments are gathered before they are written: decisions come in bursts. */
const FLUSH_EVERY_MS = 250;
/** Records that wait to be written; what is beyond is lost, as when the store does not keep up. */
const MOST_WAITING = 20_000;

type Steps = Map<number | null, Tally>;

/**
 * Gathers what decisions add to the figures, and writes it behind everybody's back: no reply waits for it. A decision is
 * handed to one caller, so nothing is counted twice; what cannot be written, or dies with the process, is lost.
 */
export class DiagnosticsLog {
  /** What labels are compared with that have to do with another prompt. */
  readonly recent = new RecentLabels();
  readonly #behind: WriteBehind;
  #waiting = new Map<string, Steps>();
  #records = 0;

  constructor({ store, clock, logger }: DiagnosticsLogParts) {
    this.#behind = new WriteBehind({
      clock,
      logger,
      everyMs: FLUSH_EVERY_MS,
      failure: 'Diagnostics could not be written.',
      take: () => {
        const waiting = [...this.#waiting];
        this.#waiting = new Map();
        this.#records = 0;
        return waiting.map(([cohort, steps]) => ({
          cohort,
          run: () => store.addDiagnostics(cohort, toIncrements(steps)),
        }));
      },
    });
  }

  add(cohort: string, step: number | null, increment: Increment): void {
    if (this.#records >= MOST_WAITING) return;
    const steps = getOrAdd(this.#waiting, cohort, (): Steps => new Map());
    const tally = getOrAdd(steps, step, () => new Tally());
    const before = tally.size;
    tally.add(increment);
    this.#records += tally.size - before;
    this.#behind.wake();
  }

  /** Writes what was gathered so far; resolves once that was tried. */
  flush(): Promise<void> {
    return this.#behind.flush();
  }
}

function toIncrements(steps: Steps): readonly StepIncrement[] {
  return [...steps].flatMap(([step, tally]) =>
    tally.increments.map((increment): StepIncrement => ({ ...increment, step })),
  );
}
