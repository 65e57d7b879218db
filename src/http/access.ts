import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Grant, isEnough, type Need, type Target } from '../domain/access.ts';
import { ServiceError } from '../domain/errors.ts';

interface Holder {
  readonly grant: Grant;
  readonly digest: Uint8Array;
}

/** Who holds which token; null: there are none, and everybody may do everything. */
export interface TokenHolders {
  current(): readonly Holder[] | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route asks of its caller. A route that does not say is for administrators. */
    need?: Need;
  }
  interface FastifyRequest {
    /** Whose token came along; null: none that is known. */
    holder: Holder | null;
  }
}

/** Longer headers are nobody's token, and are not hashed. */
const MAX_TOKEN_LENGTH = 1_024;

/** What browsers take for a reason to ask for user and password: the password is the token. */
const CHALLENGE = 'Bearer realm="PeerVote", Basic realm="PeerVote", charset="UTF-8"';

/** Who a caller is, and what it may do. */
export class Access {
  readonly #holders: TokenHolders;

  constructor(holders: TokenHolders) {
    this.#holders = holders;
  }

  get isOpen(): boolean {
    return this.#holders.current() === null;
  }

  /** From now on every request knows whose it is. */
  registerHolders(app: FastifyInstance): void {
    app.decorateRequest('holder', null);
    app.addHook('onRequest', async (request) => {
      request.holder = this.#find(request);
    });
  }

  /** From now on every route asks for what it needs, before a byte of the body is read. */
  registerNeeds(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      const need: Need = request.routeOptions.config.need ?? 'administer';
      // What is not there needs no token: it is not found either way.
      if (need === 'nothing' || request.is404 || this.isOpen) return;
      const { holder } = request;
      if (holder === null) {
        reply.header('www-authenticate', CHALLENGE);
        throw new ServiceError(
          'unauthorized',
          'This server wants a token: send it as "Authorization: Bearer TOKEN", or where only a URL can be set as the password in it, http://agent:TOKEN@host/….',
        );
      }
      const target = (request.params ?? {}) as Target;
      if (!isEnough(holder.grant, need, target)) throw forbidden(holder.grant, need, target);
    });
  }

  /** Whether the token that a request came with is still good for it: they change while streams are open. */
  isStillGood(request: FastifyRequest): boolean {
    if (this.isOpen) return true;
    const holder = this.#find(request);
    const need = request.routeOptions.config.need ?? 'administer';
    return holder !== null && isEnough(holder.grant, need, (request.params ?? {}) as Target);
  }

  /**
   * Compares with every token, in a time that does not depend on which one it is or how much of it is right: all are
   * compared as hashes of one length.
   */
  #find(request: FastifyRequest): Holder | null {
    const holders = this.#holders.current();
    const token = holders === null ? null : readToken(request);
    if (holders === null || token === null) return null;
    const digest = createHash('sha256').update(token).digest();
    let found: Holder | null = null;
    for (const known of holders) if (timingSafeEqual(known.digest, digest)) found = known;
    return found;
  }
}

/** The agent whose token came along; null where none did, or one that may look at everything. */
export function viewerOf({ holder }: FastifyRequest): string | null {
  return holder?.grant.kind === 'agent' ? holder.grant.agent : null;
}

/** The token of a request: as a bearer's, or as the password of a URL that says no more. */
function readToken({ headers }: FastifyRequest): string | null {
  const [scheme, value] = headers.authorization?.split(' ') ?? [];
  if (value === undefined || value.length > MAX_TOKEN_LENGTH) return null;
  switch (scheme?.toLowerCase()) {
    case 'bearer':
      return value;
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString();
      const colon = pair.indexOf(':');
      return colon < 0 ? null : pair.slice(colon + 1);
    }
    default:
      return null;
  }
}

function forbidden(grant: Grant, need: Need, { cohort, agent }: Target): ServiceError {
  const whose =
    grant.kind === 'agent' ? `of agent "${grant.agent}" of cohort "${grant.cohort}"` : 'for reading';
  const what =
    need === 'act'
      ? `act as agent "${agent}" of cohort "${cohort}"`
      : need === 'look'
        ? `look at ${cohort === undefined ? 'more than its cohort' : `cohort "${cohort}"`}`
        : 'change cohorts';
  return new ServiceError('forbidden', `This token is ${whose}, and does not let its bearer ${what}.`);
}
