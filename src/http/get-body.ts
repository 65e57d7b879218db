import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/errors.ts';

const MAX_BYTES = 65_536;

/**
 * The JSON body of a GET request, which Fastify leaves unread; undefined when there is none. Throws `body_too_large`
 * or `invalid_json`.
 */
export async function readGetBody({ raw }: Pick<FastifyRequest, 'raw'>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ServiceError('body_too_large', 'The body of a GET is one small object.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('invalid_json', 'The body is not JSON.', { cause: error });
  }
}
