import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toItemResults } from '../../protocol/item-result.ts';
import { toOpenRlhfInput } from '../../protocol/openrlhf/mapping.ts';
import { openRlhfReplySchema, toReply } from '../../protocol/openrlhf/reply.ts';
import { openRlhfRequestSchema } from '../../protocol/openrlhf/schema.ts';
import { agentParams } from '../../protocol/params.ts';
import { readTrainerQuery, trainerQuerySchema } from '../../protocol/trainer-query.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { notDecidedYet } from '../not-decided-yet.ts';
import { releaseWhenGone } from '../release.ts';

/** OpenRLHF's remote reward: the URL is all that the trainer needs. */
export function registerOpenRlhfRoutes(scope: FastifyInstance, parts: RouteParts): void {
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/openrlhf/:cohort/:agent',
    schema: {
      operationId: 'rewardOpenRlhf',
      summary: 'Rewards for OpenRLHF (--reward.remote_url)',
      description:
        'Held until the peer is there, then answered; 503 with Retry-After after the hold, with the rollout kept: OpenRLHF sends the same bytes again and takes its place.',
      tags: ['trainers'],
      params: agentParams,
      querystring: trainerQuerySchema,
      body: openRlhfRequestSchema,
      response: { 200: openRlhfReplySchema, ...errorReplies },
    },
    handler: async (request, reply) => {
      const { cohort, agent } = request.params;
      // With several reward URLs OpenRLHF sends empty lists to all but one and waits for every answer.
      if (request.body.query.length === 0) return toReply([]);
      const url = readTrainerQuery(request.query);
      const known = parts.prompts.of(cohort);
      const input = await toOpenRlhfInput(cohort, agent, request.body, url, known);
      (request as { body: unknown }).body = null;
      const ticket = await parts.rewards.record(input);
      const signal = parts.callers.goneSignal(reply);
      releaseWhenGone(signal, ticket, parts.rewards, request.log);
      const waitMs = parts.settings.openRlhfHoldMs;
      const result = await parts.rewards.settle(ticket, { waitMs, signal });
      if (result.kind === 'decided') return toReply(toItemResults(result));
      throw notDecidedYet(result);
    },
  });
}
