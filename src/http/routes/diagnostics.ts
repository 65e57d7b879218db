import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toDiagnosticsCsv } from '../../protocol/diagnostics/csv.ts';
import { diagnosticsQuery, pointsThatFit, readMetrics } from '../../protocol/diagnostics/query.ts';
import {
  diagnosticsCsvSchema,
  diagnosticsReplySchema,
  toDiagnosticsReply,
} from '../../protocol/diagnostics/reply.ts';
import { cohortParams } from '../../protocol/params.ts';
import type { AppParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';

/** Curves of a run: for people, tools and the live page. */
export function registerDiagnosticsRoutes(scope: FastifyInstance, { diagnostics }: AppParts): void {
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/diagnostics',
    config: { need: 'look' },
    schema: {
      operationId: 'getDiagnostics',
      summary: 'Figures of agents and pairs over the steps of a run',
      description:
        'Each rate has its denominator, and is null where that is 0. Where a trainer sends no step, every 100 groups of an agent make one.',
      tags: ['cohorts'],
      params: cohortParams,
      querystring: diagnosticsQuery,
      response: {
        200: {
          description: 'The figures, as JSON or as CSV.',
          content: {
            'application/json': { schema: diagnosticsReplySchema },
            'text/csv': { schema: diagnosticsCsvSchema },
          },
        },
        ...errorReplies,
      },
    },
    handler: async ({ params, query, headers }, reply) => {
      const { window, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
      const cohort = await diagnostics.find(params.cohort);
      const names = readMetrics(cohort, query.metrics);
      const points = pointsThatFit(cohort, names, query.limit);
      const view = await diagnostics.read(cohort, { window, from, to, points });
      const format = query.format ?? (prefersCsv(headers.accept) ? 'csv' : 'json');
      if (format === 'json') return toDiagnosticsReply(cohort, window, view, names);
      return reply.type('text/csv; charset=utf-8').send(toDiagnosticsCsv(cohort, view, names));
    },
  });
}

/** Whoever accepts both, as a browser does, gets JSON. */
function prefersCsv(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
  const csv = types.indexOf('text/csv');
  const json = types.findIndex((type) => type === 'application/json' || type === '*/*');
  return csv !== -1 && (json === -1 || csv < json);
}
