import type { Clock } from '../domain/clock.ts';
import { isStoreTrouble } from './store-troubles.ts';
import type { Logger } from './telemetry.ts';

/** One write to the store, for one cohort. */
export interface Write {
  readonly cohort: string;
  readonly run: () => Promise<void>;
}

export interface WriteBehindParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long things are gathered before they are written. */
  readonly everyMs: number;
  /** Hands over what was gathered, and begins anew. */
  readonly take: () => readonly Write[];
  /** What to say when a write fails, as a sentence. */
  readonly failure: string;
}

/** Writes what was gathered behind everybody's back: nobody waits for it, and what cannot be written is lost. */
export class WriteBehind {
  readonly #parts: WriteBehindParts;
  #timer: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: WriteBehindParts) {
    this.#parts = parts;
  }

  /** There is something to write, soon. */
  wake(): void {
    const { clock, everyMs } = this.#parts;
    this.#timer ??= clock.setTimer(everyMs, () => void this.flush());
  }

  /** Writes what was gathered so far; resolves once that was tried. */
  flush(): Promise<void> {
    this.#timer?.();
    this.#timer = null;
    const writes = this.#parts.take();
    if (writes.length > 0) this.#writing = this.#writing.then(() => this.#write(writes));
    return this.#writing;
  }

  async #write(writes: readonly Write[]): Promise<void> {
    const { logger, failure } = this.#parts;
    for (const { cohort, run } of writes) {
      try {
        await run();
      } catch (error) {
        // That the store is away is said once by whoever connects to it.
        if (!isStoreTrouble(error)) logger.error({ err: error, cohort }, failure);
      }
    }
  }
}
