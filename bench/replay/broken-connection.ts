import { request } from 'node:http';
import type { Random } from '../support/random.ts';

/** When a connection breaks: half its body sent, all of it just sent, or some time into the wait. */
export type Break = 'in-upload' | 'when-sent' | 'while-held';

interface BreakOptions {
  readonly url: string;
  readonly body: string;
  readonly how: Break;
  readonly random: Random;
}

const LONGEST_HOLD_MS = 400;

/** Posts on a connection of its own and closes it unanswered. Resolves with the status if a reply came before. */
export function breakConnection({ url, body, how, random }: BreakOptions): Promise<number | null> {
  const bytes = Buffer.from(body);
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': bytes.byteLength },
    });
    let status: number | null = null;
    const close = () => outgoing.destroy();
    outgoing.on('response', (incoming) => {
      status = incoming.statusCode ?? null;
      close();
    });
    outgoing.on('error', () => undefined);
    outgoing.on('close', () => resolve(status));
    if (how === 'in-upload') outgoing.write(bytes.subarray(0, bytes.byteLength >> 1), close);
    else {
      const holdMs = how === 'when-sent' ? 0 : random.next() * LONGEST_HOLD_MS;
      outgoing.end(bytes, () => setTimeout(close, holdMs));
    }
  });
}
