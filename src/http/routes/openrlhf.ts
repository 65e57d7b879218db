import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toItemResults } from '../../protocol/item-result.ts';
import { toOpenRlhfInput } from '../../protocol/openrlhf/mapping.ts';
import { openRlhfReplySchema, toReply } from '../../protocol/openrlhf/reply.ts';
import { type OpenRlhfRequest, openRlhfRequestSchema } from '../../protocol/openrlhf/schema.ts';
import { type AgentPath, agentParams } from '../../protocol/params.ts';
import {
  readTrainerQuery,
  type TrainerQueryString,
  trainerQuerySchema,
} from '../../protocol/trainer-query.ts';
import type { Ticket } from '../../service/submission.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { notDecidedYet } from '../not-decided-yet.ts';
import { noteWhenWritten, releaseWhenGone } from '../release.ts';

/** OpenRLHF's remote reward: the URL is all that the trainer needs. */
export function registerOpenRlhfRoutes(scope: FastifyInstance, parts: RouteParts): void {
  const { rewards, callers, settings } = parts;
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/openrlhf/:cohort/:agent',
    config: { need: 'act' },
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
      // With several reward URLs OpenRLHF sends empty lists to all but one and waits for every answer.
      if (request.body.query.length === 0) {
        const { cohort, agent } = request.params;
        return toReply(await parts.cohorts.find(cohort, agent), []);
      }
      const ticket = await record(request, callers.goneSignal(reply));
      const signal = callers.goneSignal(reply);
      releaseWhenGone(signal, ticket, rewards, request.log);
      const result = await rewards.settle(ticket, { waitMs: settings.openRlhfHoldMs, signal });
      if (result.kind !== 'decided') throw notDecidedYet(result);
      noteWhenWritten(ticket, rewards, reply);
      return toReply(ticket, toItemResults(result));
    },
  });

  /** A function of its own: a handler that waits keeps its variables, and this one's are the completions. */
  async function record(
    request: FastifyRequest<{ Params: AgentPath; Body: OpenRlhfRequest; Querystring: TrainerQueryString }>,
    gone: AbortSignal,
  ): Promise<Ticket> {
    const { cohort, agent } = request.params;
    const url = readTrainerQuery(request.query);
    const input = await toOpenRlhfInput(cohort, agent, request.body, url, parts.prompts.of(cohort));
    (request as { body: unknown }).body = null;
    return rewards.record(input, gone);
  }
}
