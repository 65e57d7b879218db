import type { HostileRequest } from './hostile-requests.ts';
import type { Exchange, WireReply } from './wire.ts';

/** Any answer, the second that some are held for included, beside what its bytes may take. */
const SLOW_MS = 2_500;
const SLOW_MS_PER_MB = 300;
/** A busy machine delays anything now and then. Only what is slow every time is slow. */
const TRIES = 3;

/** What is wrong with what a server made of a hostile request; null where nothing is. `again` sends it once more. */
export async function judge(
  request: HostileRequest,
  found: Exchange,
  again: () => Promise<Exchange>,
): Promise<string | null> {
  if (request.goesAway) return null;
  if (found.hangs) return 'No answer, and the connection stays open';
  for (const reply of found.replies) {
    const fault = faultOf(reply);
    if (fault !== null) return fault;
  }
  const bytes = request.parts.reduce((sum, { length }) => sum + length, 0);
  // Many requests of one connection are many answers.
  const limit = SLOW_MS * Math.max(1, found.replies.length / 4) + (SLOW_MS_PER_MB * bytes) / 1e6;
  let fastest = found.ms;
  for (let tries = 1; tries < TRIES && fastest > limit; tries += 1) {
    fastest = Math.min(fastest, (await again()).ms);
  }
  return fastest > limit ? `An answer that takes ${fastest.toFixed(0)} ms each time` : null;
}

function faultOf({ status, type, body }: WireReply): string | null {
  if (status === 0) return `No HTTP: ${body.slice(0, 100)}`;
  const isJson = /^application\/(problem\+)?json$/.test(type);
  let content: { code?: unknown } | null = null;
  if (isJson && body !== '') {
    try {
      content = JSON.parse(body) as { code?: unknown };
    } catch {
      return `A reply that is not JSON: ${body.slice(0, 200)}`;
    }
  }
  if (status >= 500 && (status !== 503 || typeof content?.code !== 'string'))
    return `Status ${status}: ${body.slice(0, 500)}`;
  return null;
}
