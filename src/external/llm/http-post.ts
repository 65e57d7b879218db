import { type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../../domain/clock.ts';

/** How one HTTP exchange ended. */
export type Exchange =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly body: string;
    }
  | {
      readonly kind: 'broken';
      readonly cause: 'timeout' | 'network' | 'too_large' | 'aborted';
      readonly message: string;
    };

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the whole exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Aborts when nobody wants the answer any more. */
  readonly signal: AbortSignal | null;
}

/** Sends one POST and reads its answer in full, whatever its status. Never throws. */
export async function post(dispatcher: Dispatcher, clock: Clock, wanted: Post): Promise<Exchange> {
  const { url, headers, body, timeoutMs, maxResponseBytes, signal } = wanted;
  const aborted = { kind: 'broken', cause: 'aborted', message: 'the request was given up' } as const;
  if (signal?.aborted) return aborted;
  const stop = new AbortController();
  let timedOut = false;
  const cancelTimer = clock.setTimer(timeoutMs, () => {
    timedOut = true;
    stop.abort();
  });
  const abort = () => stop.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers,
      body,
      signal: stop.signal,
      // The one timer above is the limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await readBody(answer.body, maxResponseBytes);
    if (text === null) {
      const message = `the answer is longer than ${maxResponseBytes} bytes`;
      return { kind: 'broken', cause: 'too_large', message };
    }
    const retryAfter = answer.headers['retry-after'];
    return {
      kind: 'response',
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      body: text,
    };
  } catch (error) {
    if (signal?.aborted) return aborted;
    if (timedOut || error instanceof errors.ConnectTimeoutError) {
      return {
        kind: 'broken',
        cause: 'timeout',
        message: `no complete answer within ${Math.round(timeoutMs)} ms`,
      };
    }
    return { kind: 'broken', cause: 'network', message: describe(error) };
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', abort);
  }
}

/** Null when it is longer than allowed; the rest is not read. */
async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** undici wraps what the socket said: `fetch failed` alone helps nobody. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`;
}
