import type { Clock } from '../domain/clock.ts';
import type { Ticket } from '../service/submission.ts';
import { storedGroups } from '../service/ticket.ts';

/** slime's pause before its second try; each later one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The part of a pause that is certain to be still on when a timer of ours fires late. */
const CERTAIN = 0.9;
const MOST_COUNTED = 100_000;

/**
 * Rollouts without id that were answered "not now" at once. A retry is told from another rollout with the same text by
 * when it comes: no client is back before its pause is over, so until then an equal text is another rollout, and after
 * that it takes the place of the one that was sent away.
 */
export class ShedRollouts {
  readonly #clock: Clock;
  readonly #release: (ticket: Ticket) => void;
  /** How often the rollout in a place was sent away; the oldest are forgotten. */
  readonly #tries = new Map<string, number>();
  readonly #timers = new Set<() => void>();

  constructor(clock: Clock, release: (ticket: Ticket) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** Gives the places of this ticket to equal texts that come after the client's pause. */
  add(ticket: Ticket): void {
    const key = keyOf(ticket);
    const tries = this.#tries.get(key) ?? 0;
    this.#tries.delete(key);
    this.#tries.set(key, tries + 1);
    for (const oldest of this.#tries.keys()) {
      if (this.#tries.size <= MOST_COUNTED) break;
      this.#tries.delete(oldest);
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
    const stop = this.#clock.setTimer(pauseMs * CERTAIN, () => {
      this.#timers.delete(stop);
      this.#release(ticket);
    });
    this.#timers.add(stop);
  }

  close(): void {
    for (const stop of this.#timers) stop();
  }
}

function keyOf(ticket: Ticket): string {
  const places = storedGroups(ticket).map(({ promptId, round, rolloutIds }) => [promptId, round, rolloutIds]);
  return JSON.stringify([ticket.cohort.name, ticket.agent.name, places]);
}
