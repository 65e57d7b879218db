import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../domain/clock.ts';

/**
 * Who waits for an answer of this process, and whether they still do. Fastify's `request.signal` does not
 * tell: it listens to the request's stream, which closes as soon as the body is read.
 */
export class Callers {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #onAnswer = new Set<() => void>();
  /** What is to be done for the requests of a connection that have no answer yet, once it is gone. */
  readonly #onConnection = new WeakMap<Socket, Set<() => void>>();

  /** From now on every request of `app` is known from its first line to the last byte of its answer. */
  register(app: FastifyInstance): void {
    app.addHook('onRequest', (request, { raw }, done) => {
      const caller = new AbortController();
      const { socket } = request.raw;
      this.#waiting.set(raw, caller);
      const leave = () => {
        if (!this.#waiting.delete(raw)) return;
        this.#onConnection.get(socket)?.delete(leave);
        if (!raw.writableFinished) caller.abort();
        for (const listener of this.#onAnswer) listener();
      };
      raw.once('finish', leave);
      raw.once('close', leave);
      this.#watch(socket).add(leave);
      done();
    });
  }

  /** Of requests that were sent one behind the other without waiting, Node tells only the first that their connection is gone. */
  #watch(socket: Socket): Set<() => void> {
    const known = this.#onConnection.get(socket);
    if (known !== undefined) return known;
    const all = new Set<() => void>();
    this.#onConnection.set(socket, all);
    socket.once('close', () => {
      for (const leave of all) leave();
    });
    return all;
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
