import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../domain/clock.ts';

/**
 * Who waits for an answer of this process, and whether they still do. Fastify's `request.signal` does not
 * tell: it listens to the request's stream, which closes as soon as the body is read.
 */
export class Callers {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #onAnswer = new Set<() => void>();

  /** From now on every request of `app` is known from its first line to the last byte of its answer. */
  register(app: FastifyInstance): void {
    app.addHook('onRequest', (_request, { raw }, done) => {
      const caller = new AbortController();
      this.#waiting.set(raw, caller);
      const leave = () => {
        if (!this.#waiting.delete(raw)) return;
        if (!raw.writableFinished) caller.abort();
        for (const listener of this.#onAnswer) listener();
      };
      raw.once('finish', leave);
      raw.once('close', leave);
      done();
    });
  }

  /** Aborts when the connection closes before the answer was written; aborted already when it has. */
  goneSignal({ raw }: FastifyReply): AbortSignal {
    return this.#waiting.get(raw)?.signal ?? AbortSignal.abort();
  }

  /** Resolves once nobody waits for an answer any more, at the latest after `withinMs`. */
  async allAnswered(clock: Clock, withinMs: number): Promise<void> {
    if (this.#waiting.size === 0) return;
    await new Promise<void>((resolve) => {
      const stop = clock.setTimer(withinMs, resolve);
      this.#onAnswer.add(() => {
        if (this.#waiting.size > 0) return;
        stop();
        resolve();
      });
    });
  }
}
