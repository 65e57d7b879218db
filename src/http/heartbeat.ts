import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../domain/clock.ts';

/**
 * An answer that shows signs of life before it is there: the headers at once, then a newline every few
 * seconds, which JSON allows before its text, so that no proxy takes the connection for dead. Once started
 * the status is 200 whatever comes; the one way left to fail is to cut the body off.
 */
export class Heartbeat {
  readonly #body = new PassThrough();
  #stopTimer: () => void = () => undefined;
  #started = false;

  get started(): boolean {
    return this.#started;
  }

  start(reply: FastifyReply, clock: Clock, everyMs: number): void {
    this.#started = true;
    const beat = () => {
      // The caller may be gone.
      if (this.#body.destroyed) return;
      this.#body.write('\n');
      this.#stopTimer = clock.setTimer(everyMs, beat);
    };
    this.#body.once('close', () => this.#stopTimer());
    reply
      .code(200)
      .type('application/json; charset=utf-8')
      // Both keep proxies from collecting the newlines until the body is complete.
      .header('x-accel-buffering', 'no')
      .header('cache-control', 'no-transform')
      .send(this.#body);
    beat();
  }

  /** Writes the JSON text and ends the answer. */
  end(text: string): void {
    this.#stopTimer();
    if (!this.#body.destroyed) this.#body.end(text);
  }

  /** Cuts the answer off: the client sees a broken body, never a complete one without rewards. */
  cut(): void {
    this.#body.destroy(new Error('The wait ended without an answer.'));
  }
}
