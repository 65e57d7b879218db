import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../domain/clock.ts';
import { ServiceError } from '../domain/errors.ts';

/** Callers that are counted in one second; of more than these the newest are not held back. */
const COUNTED_CALLERS = 10_000;
const WINDOW_MS = 1_000;

/** What orchestrators ask must be answered whatever else goes on. */
const NEVER_COUNTED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Headers that keep browsers careful. What a page may load is up to each page; replies of the API are none. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  // Whether there is TLS in front is not known here, so it cannot be promised for a year.
  await app.register(helmet, { global: true, contentSecurityPolicy: false, strictTransportSecurity: false });
}

/**
 * Refuses what one caller sends beyond so many requests in a second of the clock. Our own few lines: @fastify/rate-limit
 * 11 gives requests of one moment the count of the last of them, and so refuses all of a burst that is one too long.
 */
export function registerRateLimit(app: FastifyInstance, clock: Clock, requestsPerSecond: number): void {
  if (requestsPerSecond === 0) return;
  let window = 0;
  const counts = new Map<string, number>();
  app.addHook('onRequest', async (request) => {
    if (NEVER_COUNTED.has(request.routeOptions.url ?? '')) return;
    const now = Math.floor(clock.now() / WINDOW_MS);
    if (now !== window) counts.clear();
    window = now;
    const caller = callerOf(request);
    const count = (counts.get(caller) ?? 0) + 1;
    if (count > 1 || counts.size < COUNTED_CALLERS) counts.set(caller, count);
    if (count <= requestsPerSecond) return;
    throw new ServiceError(
      'too_many_requests',
      `More than ${requestsPerSecond} requests came from this caller within one second. Send it again, send larger batches, or raise server.requests_per_second.`,
    );
  });
}

/** Trainers behind one address are told apart by their tokens. One that nobody holds says nothing: anybody can make up many. */
function callerOf({ holder, ip }: FastifyRequest): string {
  return holder === null ? ip : Buffer.from(holder.digest).toString('base64');
}
