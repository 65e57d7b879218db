import type { FastifyRequest } from 'fastify';
import type { Clock } from '../domain/clock.ts';
import type { Problem } from '../protocol/problem.ts';

const AGAIN_AFTER_MS = 60_000;
/** Refusals that are told apart; of more than these the oldest may be told again too soon. */
const MOST_KNOWN = 1_000;

/**
 * Says in the log what is refused, since some trainers show nobody the reply: at most once a minute for each agent,
 * address and code. What is only to be sent again is not refused.
 */
export class RefusalLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #toldAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  note(request: FastifyRequest, { status, code, detail, retryable }: Problem): void {
    if (status >= 500 || retryable || (request.method === 'GET' && code === 'not_found')) return;
    const { cohort, agent } = (request.params ?? {}) as { readonly cohort?: string; readonly agent?: string };
    const address = request.ip;
    const key = JSON.stringify([code, cohort, agent, address]);
    const now = this.#clock.now();
    const toldAt = this.#toldAt.get(key);
    if (toldAt !== undefined && now - toldAt < AGAIN_AFTER_MS) return;
    // Re-inserted, so that the map stays in order of time.
    this.#toldAt.delete(key);
    this.#toldAt.set(key, now);
    for (const oldest of this.#toldAt.keys()) {
      if (this.#toldAt.size <= MOST_KNOWN) break;
      this.#toldAt.delete(oldest);
    }
    request.log.warn({ code, status, cohort, agent, address }, `Refused: ${detail}`);
  }
}
