import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toCohortEvent } from '../../protocol/cohort.ts';
import { cohortParams } from '../../protocol/params.ts';
import { recentPromptsReplySchema, toRecentPrompts } from '../../protocol/recent.ts';
import { sampledPromptsReplySchema, toSampledPrompts } from '../../protocol/sample.ts';
import { eventStreamSchema } from '../../protocol/status.ts';
import { viewerOf } from '../access.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';

/** What the live page follows beside the routes that tools use. */
export function registerLiveRoutes(scope: FastifyInstance, parts: RouteParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { cohorts, inspector, barrier, caretaker, events, access, callers } = parts;

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/samples',
    config: { need: 'look' },
    schema: {
      operationId: 'listSampledPrompts',
      summary: 'Prompts of which completions are kept',
      description:
        'The completions themselves are part of what `explainPrompt` answers. With the token of an agent, those of which its own are kept.',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 200: sampledPromptsReplySchema, ...errorReplies },
    },
    handler: async (request) => {
      const viewer = viewerOf(request);
      const samples = await inspector.samples(request.params.cohort);
      return toSampledPrompts(samples.filter(({ agent }) => viewer === null || agent === viewer));
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/recent',
    config: { need: 'look' },
    schema: {
      operationId: 'listRecentPrompts',
      summary: 'The latest prompts, with what each is worth a look for',
      description:
        'Disagreements, ties, prompts without a label, wrong labels. With the token of an agent, those whose rounds it may see.',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 200: recentPromptsReplySchema, ...errorReplies },
    },
    handler: async (request) =>
      toRecentPrompts(await inspector.recent(request.params.cohort, viewerOf(request))),
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/events',
    // A stream has no length that could be told without it.
    exposeHeadRoute: false,
    config: { need: 'look' },
    schema: {
      operationId: 'followCohort',
      summary: 'Follow what goes on in a cohort',
      description:
        'Server-sent events: `changed` at most once a second, with the state of the cohort but for its configuration, and a comment every 15 s where nothing changes.',
      tags: ['cohorts'],
      params: cohortParams,
      produces: ['text/event-stream'],
      response: { 200: eventStreamSchema, ...errorReplies },
    },
    handler: async (request, reply) => {
      const { name } = await cohorts.get(request.params.cohort);
      const mayStay = () => access.isStillGood(request);
      await events.open(name, reply, callers.goneSignal(reply), mayStay, async () => {
        const cohort = await cohorts.get(name);
        return toCohortEvent({
          cohort,
          config: null,
          held: barrier.held(name),
          findings: caretaker.findings(name),
          ...(await inspector.live(cohort)),
        });
      });
    },
  });
}
