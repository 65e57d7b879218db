import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../domain/clock.ts';

/**
 * An answer that shows signs of life before it is there: the headers at once, then a newline every few
 * seconds, which JSON allows before its text, so that no proxy takes the connection for dead. Once started
 * the status is 200 whatever comes; the one way left to fail is to cut the body off.
 */
export class Heartbeat {
  /** Made when it starts: every held request has a heartbeat, and few beat. */
  #body: PassThrough | null = null;
  #stopTimer: (() => void) | null = null;

  get started(): boolean {
    return this.#body !== null;
  }

  start(reply: FastifyReply, clock: Clock, everyMs: number): void {
    const body = new PassThrough();
    this.#body = body;
    const beat = () => {
      // The caller may be gone.
      if (body.destroyed) return;
      body.write('\n');
      this.#stopTimer = clock.setTimer(everyMs, beat);
    };
    body.once('close', () => this.#stopTimer?.());
    reply
      .code(200)
      .type('application/json; charset=utf-8')
      // Both keep proxies from collecting the newlines until the body is complete.
      .header('x-accel-buffering', 'no')
      .header('cache-control', 'no-transform')
      .send(body);
    beat();
  }

  /** Writes the JSON text and ends the answer. */
  end(text: string): void {
    this.#stopTimer?.();
    if (this.#body?.destroyed === false) this.#body.end(text);
  }

  /** Cuts the answer off: the client sees a broken body, never a complete one without rewards. */
  cut(): void {
    this.#body?.destroy(new Error('The wait ended without an answer.'));
  }
}
