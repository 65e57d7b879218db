import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expositionSchema } from '../../protocol/status.ts';
import type { MetricsView } from '../app.ts';
import { clientErrorReplies } from '../error-replies.ts';

/** What Prometheus reads. */
export function registerMetrics(scope: FastifyInstance, metrics: MetricsView): void {
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/metrics',
    config: { need: 'look' },
    schema: {
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      tags: ['operations'],
      produces: ['text/plain'],
      response: { 200: expositionSchema, ...clientErrorReplies },
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await metrics.expose();
      return reply.type(contentType).send(text);
    },
  });
}
