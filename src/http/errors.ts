import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ServiceError } from '../domain/errors.ts';
import { RETRY_AFTER_S, toProblem } from '../protocol/problem.ts';

/** Problems named in one answer. */
const SHOWN = 20;

/** Sent to nobody: what nginx logs for such a request. */
const CLIENT_CLOSED_REQUEST = 499;

/** Every error leaves as an RFC 9457 problem; the unexpected ones are logged and keep their details inside. */
export function registerErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    sendProblem(
      reply,
      new ServiceError(
        'not_found',
        `There is nothing at ${request.method} ${request.url.split('?')[0]}. The API is described at /docs.`,
      ),
    );
  });
  app.setErrorHandler((error, request, reply) => {
    // The caller broke its upload off. Nothing is wrong here, and nobody reads the answer.
    if ((error as FastifyError).code === 'ECONNRESET' && !request.raw.complete) {
      return reply.code(CLIENT_CLOSED_REQUEST).send();
    }
    const known = toServiceError(error as FastifyError);
    if (known.code === 'internal') request.log.error({ err: error }, 'A request failed unexpectedly.');
    return sendProblem(reply, known);
  });
}

export function sendProblem(reply: FastifyReply, error: ServiceError): FastifyReply {
  const problem = toProblem(error);
  if (problem.retryable) reply.header('retry-after', RETRY_AFTER_S);
  if (error.code === 'draining') reply.header('connection', 'close');
  return reply.code(problem.status).type('application/problem+json').send(problem);
}

function toServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'body_too_large',
        'The body is larger than this server takes. Split the submission: any part of a group may come alone. Or raise server.body_limit_bytes.',
        { cause: error },
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError(
        'unsupported_media_type',
        'Send the body as JSON with the header Content-Type: application/json.',
        { cause: error },
      );
    default:
      return new ServiceError('internal', 'The server failed on this request; its log says why.', {
        cause: error,
      });
  }
}

function fromValidation({
  validation,
  validationContext,
}: Pick<FastifyError, 'validationContext'> & {
  readonly validation: readonly { readonly instancePath: string; readonly message?: string }[];
}): ServiceError {
  const problems = validation.slice(0, SHOWN).map(({ instancePath, message }) => ({
    path: instancePath.split('/').filter(Boolean).join('.') || (validationContext ?? 'body'),
    message: message ?? 'is not valid',
  }));
  const [first] = problems;
  const rest = validation.length > 1 ? ` (and ${validation.length - 1} more)` : '';
  return new ServiceError(
    'invalid_request',
    `${validationContext ?? 'body'}: ${first?.path}: ${first?.message}${rest}. The shapes are described at /docs.`,
    { details: { problems } },
  );
}
