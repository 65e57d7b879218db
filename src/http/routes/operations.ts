import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../../domain/errors.ts';
import { readinessSchema, statusSchema } from '../../protocol/status.ts';
import type { AppParts } from '../app.ts';
import { clientErrorReplies, errorReplies } from '../error-replies.ts';
import { registerMetrics } from './metrics.ts';

/** Sentences of one answer. */
const TROUBLES_SHOWN = 20;

/** What an orchestrator and Prometheus ask. */
export function registerOperations(scope: FastifyInstance, parts: AppParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'GET',
    url: '/healthz',
    config: { need: 'nothing' },
    schema: {
      operationId: 'getHealth',
      summary: 'The process is alive',
      tags: ['operations'],
      response: { 200: statusSchema, ...clientErrorReplies },
    },
    handler: async () => ({ status: 'ok' }),
  });

  app.route({
    method: 'GET',
    url: '/readyz',
    config: { need: 'nothing' },
    schema: {
      operationId: 'getReadiness',
      summary: 'The server takes requests',
      description:
        '503 while it shuts down, cannot reach its store, or lacks a cohort that was lost there. `troubles`: what it cannot serve all the same, as a cohort of another version, or programs while the sandbox does not start.',
      tags: ['operations'],
      response: { 200: readinessSchema, ...errorReplies },
    },
    handler: async () => {
      if (parts.barrier.draining) throw new ServiceError('draining', 'This server is shutting down.');
      try {
        const troubles = [...(await parts.cohorts.check())];
        // Only code answers wait for it.
        if (parts.isSandboxDown())
          troubles.push('The sandbox for code answers does not start; the log says why.');
        return {
          status: 'ready',
          ...(troubles.length > 0 && { troubles: troubles.slice(0, TROUBLES_SHOWN) }),
        };
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('store_unavailable', 'The store does not answer; its state is in the log.', {
          cause: error,
        });
      }
    },
  });

  if (parts.settings.servesMetrics) registerMetrics(app, parts.metrics);
}
