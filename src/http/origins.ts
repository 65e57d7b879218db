import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/errors.ts';

/** Change nothing, so that a page of another site may ask for them: it cannot read the answer. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface OriginRules {
  /** Whether whoever reaches the server may do everything. */
  readonly isOpen: () => boolean;
  /** Names beside those that only this machine or network can give itself, in lower case. */
  readonly allowedHosts: readonly string[];
}

/**
 * Keeps web pages from using a server through the browser of somebody who reaches it. A write that a browser sends for a
 * page of another origin is refused; who is no browser says nothing of origins. Without tokens the name that the server
 * was called by counts too: a page may have had its own name point here (DNS rebinding).
 */
export function registerOrigins(app: FastifyInstance, { isOpen, allowedHosts }: OriginRules): void {
  app.addHook('onRequest', async (request) => {
    const { headers, raw, method } = request;
    // Node leaves it to us, so that the answer is a problem like every other.
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      throw new ServiceError('malformed_http', 'This is not a valid HTTP request: it has no Host header.');
    }
    if (isOpen() && headers.host !== undefined && !isOwnName(hostNameOf(headers.host), allowedHosts)) {
      throw new ServiceError(
        'host_not_allowed',
        `This server has no tokens, and answers only to localhost, to addresses and to names of its own network. If ${JSON.stringify(headers.host.slice(0, 100))} is meant to be it, start it with --allowed-host.`,
      );
    }
    if (!READS.has(method) && isForeign(request)) {
      throw new ServiceError(
        'cross_site',
        'A browser sent this for a page of another origin, which may change nothing here. Send it from a program, or from a page of this server.',
      );
    }
  });
}

/** Browsers say it of every request and let no page speak for them; older ones tell only the origin of a write. */
function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== canonicalHost(origin, host);
}

/** The host as a URL of the origin's scheme has it, without the port that goes without saying. */
function canonicalHost(origin: string, host: string | undefined): string | null {
  const url = `${new URL(origin).protocol}//${host}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).host : null;
}

/** Without port, brackets and the dot of a full name; empty where it cannot be read. */
function hostNameOf(host: string): string {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * A name that nobody can buy and have point here: an address, localhost, or one without a dot, as services of a cluster or
 * of Docker Compose have.
 */
function isOwnName(name: string, allowed: readonly string[]): boolean {
  return (
    isIP(name) !== 0 ||
    (name !== '' && !name.includes('.')) ||
    name.endsWith('.localhost') ||
    allowed.includes(name)
  );
}
