import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { cohortParams } from '../../protocol/params.ts';
import { cohortPlanSchema, planNotice, teacherOrderSchema, toCohortPlan } from '../../protocol/plan.ts';
import type { AppParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { smallBody } from '../small-body.ts';

const MOST_VALUES = 1_000;

/** Who teaches whom under supervision `adaptive`, by hand. */
export function registerPlanRoutes(scope: FastifyInstance, { cohorts, planner, settings }: AppParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    ...smallBody(settings.bodyLimitBytes, MOST_VALUES),
    method: 'PUT',
    url: '/v1/cohorts/:cohort/plan',
    config: { need: 'administer' },
    schema: {
      operationId: 'setTeachers',
      summary: 'Set or freeze the teachers of a cohort that chooses them',
      description: 'For buckets that begin from now on; those that have begun keep their teachers.',
      tags: ['cohorts'],
      params: cohortParams,
      body: teacherOrderSchema,
      response: { 200: cohortPlanSchema, ...errorReplies },
    },
    handler: async ({ params, body }) => {
      const cohort = await cohorts.get(params.cohort);
      const plan = await planner.order(cohort, body);
      return toCohortPlan(plan, planNotice(cohort, plan));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/cohorts/:cohort/plan',
    config: { need: 'administer' },
    schema: {
      operationId: 'releaseTeachers',
      summary: 'Choose the teachers by the labels again',
      description: 'Chooses at once, by the latest labels, and from then on as configured.',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 200: cohortPlanSchema, ...errorReplies },
    },
    handler: async ({ params }) => {
      const cohort = await cohorts.get(params.cohort);
      const plan = await planner.release(cohort);
      return toCohortPlan(plan, planNotice(cohort, plan));
    },
  });
}
