import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { FLOAT_KEYS, stringifyWithFloats, writeFloat } from '../../protocol/float-json.ts';
import { toItemResults } from '../../protocol/item-result.ts';
import { agentParams } from '../../protocol/params.ts';
import { toSlimeInput, toSlimeObject } from '../../protocol/slime/mapping.ts';
import { slimeQuerySchema, slimeReplySchema, slimeRequestSchema } from '../../protocol/slime/schema.ts';
import { readTrainerQuery } from '../../protocol/trainer-query.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { HeldByAgent } from '../held-by-agent.ts';
import { notDecidedYet } from '../not-decided-yet.ts';
import { noteWhenWritten, releaseWhenGone } from '../release.ts';

/** slime's remote reward: `--rm-type remote_rm --rm-url`. */
export function registerSlimeRoutes(scope: FastifyInstance, parts: RouteParts): void {
  const { rewards, settings } = parts;
  // slime has 64 connections in all: when every one is held, the rollouts that peers wait for cannot be sent.
  const held = new HeldByAgent(settings.slimeHeldPerAgent);

  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/slime/:cohort/:agent',
    config: { need: 'act' },
    schema: {
      operationId: 'rewardSlime',
      summary: 'The reward for slime (--rm-type remote_rm --rm-url)',
      description:
        'Held until the peer is there, then answered with a bare float. At most so many requests of an agent are held; those beyond are recorded and answered 503 at once. After any 503 slime sends the same bytes again, which take their place; bytes that come before slime can be back are another rollout.',
      tags: ['trainers'],
      params: agentParams,
      querystring: slimeQuerySchema,
      body: slimeRequestSchema,
      response: { 200: slimeReplySchema, ...errorReplies },
    },
    handler: async (request, reply) => {
      const { cohort, agent } = request.params;
      const { format } = request.query;
      const url = readTrainerQuery(request.query);
      const input = await toSlimeInput(cohort, agent, request.body, url, parts.prompts.of(cohort));
      (request as { body: unknown }).body = null;
      const ticket = await rewards.record(input);
      const signal = parts.callers.goneSignal(reply);
      const leave = held.enter(cohort, agent);
      if (leave !== null) releaseWhenGone(signal, ticket, rewards, request.log);
      try {
        const waitMs = leave === null ? 0 : settings.slimeHoldMs;
        const result = await rewards.settle(ticket, { waitMs, signal });
        if (result.kind === 'pending') {
          throw notDecidedYet({ ...result, crowded: leave === null || result.crowded });
        }
        const [item] = toItemResults(result);
        if (item === undefined) throw new Error('A rollout was decided without a result.');
        if (leave === null) releaseWhenGone(signal, ticket, rewards, request.log);
        noteWhenWritten(ticket, rewards, reply);
        // Fastify takes only objects for JSON by itself.
        reply
          .type('application/json; charset=utf-8')
          .serializer((payload) =>
            typeof payload === 'number' ? writeFloat(payload) : stringifyWithFloats(payload, FLOAT_KEYS),
          );
        return format === 'object' ? toSlimeObject(item) : (item.reward ?? 0);
      } finally {
        leave?.();
      }
    },
  });
}
