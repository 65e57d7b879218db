import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import { findNonFinite } from './find-non-finite.ts';

/** Reads JSON bodies, and names the usual cause when Python sent something that is not JSON. */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJson(String(body)));
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
