import type { Clock } from '../domain/clock.ts';
import { type Increment, type StepIncrement, Tally } from '../domain/diagnostics/tally.ts';
import type { Store } from '../store/store.ts';
import { isUnavailable } from './owed-releases.ts';
import type { Logger } from './telemetry.ts';

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
  readonly #parts: DiagnosticsLogParts;
  #waiting = new Map<string, Steps>();
  #records = 0;
  #timer: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: DiagnosticsLogParts) {
    this.#parts = parts;
  }

  add(cohort: string, step: number | null, increment: Increment): void {
    if (this.#records >= MOST_WAITING) return;
    const steps = getOrAdd(this.#waiting, cohort, (): Steps => new Map());
    const tally = getOrAdd(steps, step, () => new Tally());
    const before = tally.size;
    tally.add(increment);
    this.#records += tally.size - before;
    this.#timer ??= this.#parts.clock.setTimer(FLUSH_EVERY_MS, () => void this.flush());
  }

  /** Writes what was gathered so far; resolves once that was tried. */
  flush(): Promise<void> {
    this.#timer?.();
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#records = 0;
    if (waiting.size > 0) this.#writing = this.#writing.then(() => this.#write(waiting));
    return this.#writing;
  }

  async #write(waiting: ReadonlyMap<string, Steps>): Promise<void> {
    const { store, logger } = this.#parts;
    for (const [cohort, steps] of waiting) {
      const increments = [...steps].flatMap(([step, tally]) =>
        tally.increments.map((increment): StepIncrement => ({ ...increment, step })),
      );
      try {
        await store.addDiagnostics(cohort, increments);
      } catch (error) {
        // That the store is away is said once by whoever connects to it.
        if (!isUnavailable(error)) logger.error({ err: error, cohort }, 'Diagnostics could not be written.');
      }
    }
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
