import { validatorCompiler as zodCompiler } from 'fastify-type-provider-zod';
import { ServiceError } from '../domain/errors.ts';
import { readOr, UNREADABLE } from '../domain/fallible-read.ts';

/** Checks what a request holds against the schema of its route; what the schema itself falls over is the request's fault too. */
export const validatorCompiler: typeof zodCompiler = (route) => {
  const validate = zodCompiler(route);
  const refusal = new ServiceError('invalid_request', `${route.httpPart ?? 'body'}: ${UNREADABLE}.`);
  return (value: unknown) =>
    readOr(
      () => validate(value),
      () => ({ error: refusal }),
    );
};
