import type { Clock } from '../domain/clock.ts';
import type { Ticket } from '../service/submission.ts';

/** slime is back 1 s after a refusal at the earliest; less, since our timer may be late. */
const AWAY_MS = 900;

/**
 * Rollouts without id that were answered "not now" at once. No client is back before its pause is over, so until then
 * an equal text is another rollout; after that it takes the place of the one that was sent away. Later than that, two
 * rollouts with one text cannot be told from one that comes again.
 */
export class ShedRollouts {
  readonly #clock: Clock;
  readonly #release: (ticket: Ticket) => void;
  readonly #timers = new Set<() => void>();

  constructor(clock: Clock, release: (ticket: Ticket) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** Gives the places of this ticket to equal texts that come once its client may be back. */
  add(ticket: Ticket): void {
    const stop = this.#clock.setTimer(AWAY_MS, () => {
      this.#timers.delete(stop);
      this.#release(ticket);
    });
    this.#timers.add(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
  }
}
