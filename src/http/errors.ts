import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ServiceError } from '../domain/errors.ts';
import { MOST_ISSUES } from '../protocol/bounded-list.ts';
import { RETRY_AFTER_S, toProblem } from '../protocol/problem.ts';
import { readsReason, toReasonPhrase } from './reason-phrase.ts';
import type { RefusalLog } from './refusal-log.ts';

const MAX_TEXT = 300;

const PROBLEM_TYPE = 'application/problem+json';

/** Sent to nobody: what nginx logs for such a request. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Every error leaves as an RFC 9457 problem; the unexpected ones are logged and keep their details inside. What is refused
 * is told to `refusals`.
 */
export function registerErrors(app: FastifyInstance, refusals: RefusalLog | null = null): void {
  app.setNotFoundHandler((request, reply) => {
    sendProblem(
      { request, reply, refusals },
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
    return sendProblemOf(error as FastifyError, request, reply, refusals);
  });
}

/** Sends what `error` is to the caller; logs it where only the log may say it. */
export function sendProblemOf(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  refusals: RefusalLog | null = null,
): FastifyReply {
  const known = toServiceError(error);
  if (known.code === 'internal') request.log.error({ err: error }, 'A request failed unexpectedly.');
  return sendProblem({ request, reply, refusals }, known);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly refusals: RefusalLog | null;
}

function sendProblem({ request, reply, refusals }: Exchange, error: ServiceError): FastifyReply {
  const problem = toProblem(error);
  refusals?.note(request, problem);
  if (readsReason(request.url)) reply.raw.statusMessage = toReasonPhrase(problem.detail);
  if (problem.retryable) reply.header('retry-after', RETRY_AFTER_S);
  if (error.code === 'draining') reply.header('connection', 'close');
  // Written here, since a route that was not found has no serializer of ours.
  return reply.code(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Node's own answer to an Expect header that it does not know has no body. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const problem = toProblem(
    new ServiceError(
      'expectation_failed',
      `Of what a request may expect only 100-continue is known here, not ${JSON.stringify(request.headers.expect)}.`,
    ),
  );
  // The body is not read, so that nothing may follow on this connection.
  const body = JSON.stringify(problem);
  const headers = { 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body) };
  response.writeHead(problem.status, { ...headers, connection: 'close' }).end(body);
}

/** Answers what Node could not read as a request, on the bare socket. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = toProblem(toClientError(error));
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...(problem.retryable ? [`retry-after: ${RETRY_AFTER_S}`] : []),
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function toClientError(error: ConnectionError): ServiceError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError(
      'upload_timeout',
      'The request did not arrive in time. Send it again, in smaller parts if need be, or raise server.upload_timeout_ms.',
      { cause: error },
    );
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('headers_too_large', 'The headers are longer than 16 KiB in all.', {
      cause: error,
    });
  }
  return new ServiceError('malformed_http', `This is not a valid HTTP request: ${error.message}.`, {
    cause: error,
  });
}

function toServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error);
  const options = { cause: error };
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'body_too_large',
        'The body is larger than this server takes. Split the submission: any part of a group may come alone. Or raise server.body_limit_bytes.',
        options,
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError(
        'unsupported_media_type',
        'Send the body as JSON with the header Content-Type: application/json.',
        options,
      );
    // Asked of a path that is not there, with a method that would need a type.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new ServiceError('method_not_allowed', 'No path of this server takes this method.', options);
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError(
        'not_found',
        'The path cannot be read: a part of it is too long or not percent-encoded UTF-8. The API is described at /docs.',
        options,
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError('malformed_http', 'The body is not as long as Content-Length says.', options);
    default:
      return new ServiceError('internal', 'The server failed on this request; its log says why.', options);
  }
}

/** What a caller wrote is repeated, as a key that is not known, but not at any length. */
export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function fromValidation({
  validation,
  validationContext,
}: Pick<FastifyError, 'validationContext'> & {
  readonly validation: readonly { readonly instancePath: string; readonly message?: string }[];
}): ServiceError {
  const problems = validation.slice(0, MOST_ISSUES).map(({ instancePath, message }) => ({
    path: cut(instancePath.split('/').filter(Boolean).join('.') || (validationContext ?? 'body')),
    message: cut(message ?? 'is not valid'),
  }));
  const [first] = problems;
  const more = validation.length >= MOST_ISSUES ? 'more' : `${validation.length - 1} more`;
  const rest = validation.length > 1 ? ` (and ${more})` : '';
  return new ServiceError(
    'invalid_request',
    `${validationContext ?? 'body'}: ${first?.path}: ${first?.message}${rest}. The shapes are described at /docs.`,
    { details: { problems } },
  );
}
