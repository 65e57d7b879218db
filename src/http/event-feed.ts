import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../domain/clock.ts';
import { ServiceError } from '../domain/errors.ts';

/** What is sent of a cohort: `data` whenever `version` is another one than before. */
export interface Snapshot {
  readonly version: string;
  readonly data: string;
}

/** Of all cohorts together. */
const MOST_CONNECTIONS = 256;
const LOOK_EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;

interface Listener {
  readonly raw: ServerResponse;
  readonly mayStay: () => boolean;
  seen: string | null;
  writtenAt: number;
}

/**
 * Server-sent events: a cohort is looked at once a second for all who watch it, and each of them is sent what changed.
 * Who reads too slowly skips events, so that nothing piles up.
 */
export class EventFeed {
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<Listener>>();
  #count = 0;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers with a stream of `look`, which ends when `mayStay` says no or the caller is `gone`. Throws `too_many_held_requests`, `draining`. */
  async open(
    cohort: string,
    reply: FastifyReply,
    gone: AbortSignal,
    mayStay: () => boolean,
    look: () => Promise<Snapshot>,
  ): Promise<void> {
    if (this.#closed) throw new ServiceError('draining', 'This server is shutting down.');
    if (this.#count >= MOST_CONNECTIONS) {
      throw new ServiceError(
        'too_many_held_requests',
        `${MOST_CONNECTIONS} connections follow events already. Ask GET /v1/cohorts/{cohort} now and then instead.`,
      );
    }
    const { raw } = reply;
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };
    // The last one keeps proxies from collecting events.
    reply.headers({ ...headers, 'x-accel-buffering': 'no' });
    reply.hijack();
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    raw.write('retry: 2000\n\n');
    const watching = this.#listeners.get(cohort);
    const all = watching ?? new Set<Listener>();
    const listener: Listener = { raw, mayStay, seen: null, writtenAt: this.#clock.now() };
    all.add(listener);
    this.#count++;
    const leave = () => {
      if (!all.delete(listener)) return;
      this.#count--;
      this.#drop(cohort, all, all.size === 0);
    };
    raw.once('close', leave);
    gone.addEventListener('abort', leave, { once: true });
    this.#listeners.set(cohort, all);
    if (watching === undefined) await this.#follow(cohort, all, look);
  }

  /** Ends every stream; the browser asks another replica. */
  close(): void {
    this.#closed = true;
    for (const all of this.#listeners.values()) for (const { raw } of all) raw.end();
  }

  async #follow(cohort: string, all: Set<Listener>, look: () => Promise<Snapshot>): Promise<void> {
    for (const { raw, mayStay } of all) if (!mayStay()) raw.end();
    try {
      const snapshot = await look();
      for (const listener of all) this.#tell(listener, snapshot);
    } catch {
      // Most likely the cohort is gone or the store is away: who watches asks again and is told.
      for (const { raw } of all) raw.end();
      this.#drop(cohort, all, true);
      return;
    }
    this.#clock.setTimer(LOOK_EVERY_MS, () => {
      if (all.size > 0 && !this.#closed) void this.#follow(cohort, all, look);
    });
  }

  /** Others may follow a cohort of this name anew by now. */
  #drop(cohort: string, all: Set<Listener>, isOver: boolean): void {
    if (isOver && this.#listeners.get(cohort) === all) this.#listeners.delete(cohort);
  }

  #tell(listener: Listener, { version, data }: Snapshot): void {
    const { raw } = listener;
    const now = this.#clock.now();
    if (raw.writableNeedDrain || raw.writableEnded) return;
    if (listener.seen !== version) raw.write(`event: changed\ndata: ${data}\n\n`);
    else if (now - listener.writtenAt >= HEARTBEAT_MS) raw.write(': still here\n\n');
    else return;
    listener.seen = version;
    listener.writtenAt = now;
  }
}
