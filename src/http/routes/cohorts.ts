import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../../domain/errors.ts';
import {
  bucketListReplySchema,
  bucketReplySchema,
  toBucketReply,
  toBucketSummary,
} from '../../protocol/bucket.ts';
import {
  cohortListReplySchema,
  cohortReplySchema,
  cohortStateReplySchema,
  emaReplySchema,
  toCohortStateReply,
  toEmaReply,
  toListedCohort,
} from '../../protocol/cohort.ts';
import { bucketListQuery, cohortParams, emaQuery, promptParams } from '../../protocol/params.ts';
import { fewAgentsNotice } from '../../protocol/plan.ts';
import { nothingSchema } from '../../protocol/status.ts';
import { emaAt } from '../../service/ema.ts';
import { viewerOf } from '../access.ts';
import type { AppParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { cut } from '../errors.ts';
import { smallBody } from '../small-body.ts';
import { validatorCompiler } from '../validation.ts';

/** Of a configuration: all agents with a graph of all their teachers are half of it. */
const MOST_VALUES = 10_000;
/** Problems named in one answer. */
const SHOWN = 100;

/** Cohorts: their settings, what goes on in them, and why a reward was what it was. */
export function registerCohortRoutes(scope: FastifyInstance, parts: AppParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { cohorts, parser, inspector } = parts;

  app.route({
    method: 'GET',
    url: '/v1/cohorts',
    config: { need: 'look' },
    schema: {
      operationId: 'listCohorts',
      summary: 'List the cohorts',
      tags: ['cohorts'],
      response: { 200: cohortListReplySchema, ...errorReplies },
    },
    handler: async () => {
      const known = await cohorts.list();
      return {
        cohorts: known.map((cohort) =>
          toListedCohort(cohort, parser.format(cohort), parts.caretaker.findings(cohort.name)),
        ),
      };
    },
  });

  app.route({
    ...smallBody(parts.settings.bodyLimitBytes, MOST_VALUES),
    method: 'PUT',
    url: '/v1/cohorts/:cohort',
    config: { need: 'administer' },
    schema: {
      operationId: 'putCohort',
      summary: 'Create a cohort, or change one that has nothing open',
      description: 'Repeating it is safe. All problems of a configuration are reported at once.',
      tags: ['cohorts'],
      params: cohortParams,
      body: parser.schema,
      response: { 200: cohortReplySchema, 201: cohortReplySchema, ...errorReplies },
    },
    // The body's schema is for the description: the parser checks more, and reports all at once.
    validatorCompiler: (route) =>
      route.httpPart === 'body' ? (value: unknown) => ({ value }) : validatorCompiler(route as never),
    handler: async ({ params, body }, reply) => {
      const parsed = parser.parse(params.cohort, body);
      if (!parsed.ok) {
        const count = parsed.problems.length;
        const problems = parsed.problems
          .slice(0, SHOWN)
          .map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
        const [first] = problems;
        throw new ServiceError(
          'invalid_cohort',
          `The configuration has ${count} ${count === 1 ? 'problem' : 'problems'}; the first: ${first?.path || 'cohort'}: ${first?.message}.`,
          { details: { problems } },
        );
      }
      const outcome = await cohorts.put(parsed.cohort);
      reply.code(outcome === 'created' ? 201 : 200);
      const notice = fewAgentsNotice(parsed.cohort);
      return { name: parsed.cohort.name, config: parser.format(parsed.cohort), ...(notice && { notice }) };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort',
    config: { need: 'look' },
    schema: {
      operationId: 'getCohort',
      summary: 'What is going on in a cohort',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 200: cohortStateReplySchema, ...errorReplies },
    },
    handler: async ({ params }) => {
      const cohort = await cohorts.get(params.cohort);
      return toCohortStateReply({
        cohort,
        config: parser.format(cohort),
        held: parts.barrier.held(cohort.name),
        findings: parts.caretaker.findings(cohort.name),
        ...(await inspector.live(cohort)),
      });
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/ema',
    config: { need: 'look' },
    schema: {
      operationId: 'getEmaCoefficient',
      summary: 'How far the teacher of co-rewarding-ii moves at a step',
      description: 'The trainer averages; this is a(s) of its schedule. Replies to rollouts carry it too.',
      tags: ['cohorts'],
      params: cohortParams,
      querystring: emaQuery,
      response: { 200: emaReplySchema, ...errorReplies },
    },
    handler: async ({ params, query }) => toEmaReply(emaAt(await cohorts.get(params.cohort), query.step)),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/cohorts/:cohort',
    config: { need: 'administer' },
    schema: {
      operationId: 'deleteCohort',
      summary: 'Delete a cohort and all it holds',
      description: 'Requests that wait in it are answered with 404.',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 204: nothingSchema, ...errorReplies },
    },
    handler: async ({ params }, reply) => {
      await cohorts.delete(params.cohort);
      return reply.code(204).send(null);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/buckets',
    config: { need: 'look' },
    schema: {
      operationId: 'listOpenBuckets',
      summary: 'Prompts that wait for an agent',
      tags: ['cohorts'],
      params: cohortParams,
      querystring: bucketListQuery,
      response: { 200: bucketListReplySchema, ...errorReplies },
    },
    handler: async ({ params, query }) => {
      const { total, buckets } = await inspector.open(params.cohort, query.limit);
      return { open_buckets: total, buckets: buckets.map(toBucketSummary) };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/buckets/:prompt',
    config: { need: 'look' },
    schema: {
      operationId: 'explainPrompt',
      summary: 'Answers, votes, labels and rewards of one prompt',
      tags: ['cohorts'],
      params: promptParams,
      response: { 200: bucketReplySchema, ...errorReplies },
    },
    handler: async (request) => {
      const { cohort, prompt } = request.params;
      const viewer = viewerOf(request);
      const rounds = await inspector.explain(cohort, prompt, viewer);
      const shown = new Set(
        rounds.flatMap(({ bucket, veiledFor }) => (veiledFor === null ? bucket.round : [])),
      );
      const samples = (await inspector.samples(cohort)).filter(
        ({ agent, round }) => viewer === null || agent === viewer || shown.has(round),
      );
      return toBucketReply(prompt, rounds, samples);
    },
  });
}
