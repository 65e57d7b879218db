import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import { findNonFinite } from './find-non-finite.ts';
import { isDense } from './value-density.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyIsOptional?: boolean;
  }
}

/** What the values of a body may take beside their text: twice the body, and this. */
const VALUE_BYTES = 8 * 1_048_576;
const VALUE_SHARE = 2;
/** No body below this can hold more: of nothing but brackets it takes 64 times its length. */
const NEVER_DENSE = VALUE_BYTES / 64;

/** Bodies are read as they come: one that is packed is refused before it is taken for broken JSON. */
export function refuseEncodings(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return;
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as it is, without a Content-Encoding such as gzip.',
    );
  });
}

/** Reads JSON bodies, and names the usual cause when Python sent something that is not JSON. */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length > NEVER_DENSE && isDense(bytes, VALUE_BYTES + VALUE_SHARE * bytes.length)) {
      return done(
        new ServiceError(
          'body_too_large',
          'The body is made of so many values that reading it would take several times its length. Send fewer at a time.',
        ),
      );
    }
    const text = bytes.toString();
    const mayBeEmpty = request.method === 'DELETE' || request.routeOptions.config.bodyIsOptional === true;
    // Clients that say JSON with every request say it of no body too.
    if (text === '' && mayBeEmpty) return done(null, undefined);
    try {
      done(null, parseJson(text));
    } catch (error) {
      done(error as ServiceError);
    }
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const culprit = findNonFinite(text);
    if (culprit !== null) {
      throw new ServiceError(
        'non_finite_number',
        `The body holds ${culprit.token} at character ${culprit.at}, which is not JSON although Python's json.dumps writes it. Replace such numbers with null before sending (json.dumps(..., allow_nan=False) finds them).`,
      );
    }
    const why = text.trim() === '' ? 'it is empty' : error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_json', `The body is not JSON: ${why}.`, { cause: error });
  }
}
