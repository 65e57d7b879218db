/** What a server answered; `body` is null where it is no JSON. */
export interface LinkReply {
  readonly status: number;
  readonly body: unknown;
}

export interface LinkRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root of the server, as in `/healthz`. */
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string | null;
}

/** A way to a server. Rejects with Error, its message a sentence for people, when no reply comes. */
export type Link = (request: LinkRequest) => Promise<LinkReply>;

/** No reply within this time is none. Longer than the checks let a request wait. */
const TIMEOUT_MS = 15_000;

/** The way over HTTP to the server at `url`. */
export function httpLink(url: string): Link {
  const base = url.replace(/\/+$/, '');
  return async ({ method, path, body, token }) => {
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    try {
      const reply = await fetch(`${base}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: await reply.json().catch(() => null) };
    } catch (error) {
      throw new Error(describeSilence(base, error), { cause: error });
    }
  };
}

/** Why a request got no reply, as a sentence. */
export function describeSilence(url: string, error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${url}: is the server running, and is the port right?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `No machine is known by the name in ${url}: is it spelled right, and known on this machine?`;
    case 'TimeoutError':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${url} does not answer in time: is the address right, and may this machine reach it?`;
    default:
      return `${url} does not answer as an HTTP server does (${code}): is the port right, and is it http or https?`;
  }
}

/** The code of the innermost cause: fetch wraps what the socket said, once for each address that it tried. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return codeOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'Error' ? error.message : code;
}
