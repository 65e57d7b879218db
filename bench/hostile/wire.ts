import { connect } from 'node:net';
import type { HostileRequest } from './hostile-requests.ts';

export interface WireReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface Exchange {
  /** All that came back, in order; the last may be cut. */
  readonly replies: readonly WireReply[];
  /** From the last byte sent until the server was done with the connection. */
  readonly ms: number;
  /** The server neither answered nor closed within the time. */
  readonly hangs: boolean;
}

const MOST_BYTES = 64 * 1_048_576;

/** Writes the request on a connection of its own, says that nothing follows, and reads until the server has closed it. */
export function exchange(
  port: number,
  { parts, goesAway }: HostileRequest,
  limitMs: number,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let hangs = false;
    let sentAt = performance.now();
    const timer = setTimeout(() => {
      hangs = true;
      socket.destroy();
    }, limitMs);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      // A stream of events goes on for as long as somebody listens.
      if (bytes > MOST_BYTES || (bytes < 4_096 && chunk.includes('text/event-stream'))) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ replies: readReplies(Buffer.concat(chunks)), ms: performance.now() - sentAt, hangs });
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
      if (goesAway) socket.write('', () => socket.resetAndDestroy());
      else {
        socket.end(() => {
          sentAt = performance.now();
        });
      }
    });
  });
}

/** Takes what came over a connection apart into replies; what is no reply is one of status 0. */
export function readReplies(bytes: Buffer): WireReply[] {
  const replies: WireReply[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const head = bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
    if (status === 0 || end < 0) return [...replies, { status, type: '', body: head }];
    at = end + 4;
    if (status === 100) continue;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    const said = isChunked ? endOfChunks(bytes, at) : at + Number(length ?? 0);
    // The answer to HEAD says a length and has no body.
    const to = bytes.toString('latin1', at, at + 5) === 'HTTP/' ? at : said;
    const type = /\r\ncontent-type: *([^\r;]*)/i.exec(head)?.[1] ?? '';
    replies.push({ status, type, body: isChunked ? '' : bytes.toString('utf8', at, to) });
    at = to;
  }
  return replies;
}

/** Behind the last chunk. Nobody looks into a body in chunks: those are pages. */
function endOfChunks(bytes: Buffer, at: number): number {
  const end = bytes.indexOf('\r\n0\r\n\r\n', at);
  return end < 0 ? bytes.length : end + 7;
}
