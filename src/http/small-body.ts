import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import { holdsMoreThan } from '../protocol/holds-more-than.ts';

const MAX_BYTES = 1_048_576;

/**
 * For routes whose body a person writes: what is far too large for that is refused before it is validated, since such a
 * body is checked whole to name all its problems.
 */
export function smallBody(bodyLimitBytes: number, mostValues: number) {
  return {
    bodyLimit: Math.min(MAX_BYTES, bodyLimitBytes),
    preValidation: async ({ body }: FastifyRequest) => {
      if (!holdsMoreThan(body, mostValues)) return;
      throw new ServiceError('invalid_request', `The body holds more than ${mostValues} values.`);
    },
  };
}
