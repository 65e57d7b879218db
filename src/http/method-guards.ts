import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../domain/errors.ts';

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function orderOf(method: string): number {
  return (ORDER.indexOf(method) + ORDER.length + 1) % (ORDER.length + 1);
}

/**
 * Answers 405 where a path exists under another method only. Call `watch` before the routes are registered
 * and `guard` after.
 */
export class MethodGuards {
  readonly #known = new Map<string, Set<string>>();

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#known.get(url) ?? new Set();
      for (const one of [method].flat()) known.add(one);
      this.#known.set(url, known);
    });
  }

  guard(app: FastifyInstance): void {
    for (const [url, known] of [...this.#known]) {
      const methods = [...app.supportedMethods].sort((a, b) => orderOf(a) - orderOf(b));
      const allowed = methods.filter((method) => known.has(method));
      const others = methods.filter((method) => !known.has(method));
      if (others.length === 0 || url.includes('*')) continue;
      app.route({
        url,
        method: others,
        schema: { hide: true } as object,
        config: { need: 'nothing' },
        // Before the body is read: its type is not what is wrong.
        onRequest: (request, reply, done) => {
          reply.header('allow', allowed.join(', '));
          done(
            new ServiceError(
              'method_not_allowed',
              `${request.method} is not possible here; use ${allowed.join(' or ')}. The API is described at /docs.`,
            ),
          );
        },
        handler: () => undefined,
      });
    }
  }
}
