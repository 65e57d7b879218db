import { type Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  /** As it was on the wire: how numbers are written matters. */
  readonly text: string;
}

export interface SendOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: string;
  /** `false` opens a connection for this request alone, as OpenRLHF does. */
  readonly agent: Agent | false;
  readonly signal?: AbortSignal;
}

/** Sends one request. Rejects when the connection fails or the signal aborts before the reply is read. */
export function send({ method, url, body, agent, signal }: SendOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? null : Buffer.from(body);
    const headers =
      bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.byteLength };
    const outgoing = request(url, { method, agent, headers, ...(signal && { signal }) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes ?? undefined);
  });
}
