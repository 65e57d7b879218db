import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/errors.ts';

const MAX_BYTES = 65_536;

/**
 * The JSON body of a GET request, which Fastify leaves unread; undefined when there is none. Throws `body_too_large`
 * or `invalid_json`.
 */
export async function readGetBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request that is destroyed gets no answer.
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      // Nobody reads the rest: it is let through, so that the answer can be, and the connection ends with it.
      raw.resume();
      reply.header('connection', 'close');
      throw new ServiceError('body_too_large', 'The body of a GET is one small object.');
    }
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
