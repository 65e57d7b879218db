import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ServiceError } from '../../domain/errors.ts';
import { agentParams } from '../../protocol/params.ts';
import {
  readRequestId,
  scoreOfRequestId,
  toRequestId,
  toRollInput,
  toRollResult,
  toScored,
} from '../../protocol/roll/mapping.ts';
import {
  rollResultQuerySchema,
  rollResultReplySchema,
  rollSubmitReplySchema,
  rollSubmitSchema,
} from '../../protocol/roll/schema.ts';
import { readTrainerQuery, trainerQuerySchema } from '../../protocol/trainer-query.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { readGetBody } from '../get-body.ts';

/** ROLL's remote reward system: submit, then poll. */
export function registerRollRoutes(scope: FastifyInstance, { rewards }: RouteParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/roll/:cohort/:agent/submit_task',
    config: { need: 'act' },
    schema: {
      operationId: 'submitRollTask',
      summary: 'Submit a rollout for ROLL (submit_url)',
      description: 'Records the rollout and returns at once. The same rollout_id again counts once.',
      tags: ['trainers'],
      params: agentParams,
      querystring: trainerQuerySchema,
      body: rollSubmitSchema,
      response: { 200: rollSubmitReplySchema, ...errorReplies },
    },
    handler: async (request) => {
      const { cohort, agent } = request.params;
      const ticket = await rewards.record(
        toRollInput(cohort, agent, request.body, readTrainerQuery(request.query)),
      );
      const result = await rewards.settle(ticket, { waitMs: 0, signal: null });
      return { errcode: 0 as const, reward_request_id: toRequestId(result) };
    },
  });

  app.route({
    method: 'GET',
    url: '/roll/:cohort/:agent/task_result',
    config: { need: 'act' },
    schema: {
      operationId: 'getRollTaskResult',
      summary: 'The reward of a submitted rollout for ROLL (get_result_url)',
      description:
        'Answers at once: errcode 0 with the score, or 1 while it is not decided. ROLL sends reward_request_id in the JSON body of the GET; the query string works too.',
      tags: ['trainers'],
      params: agentParams,
      querystring: rollResultQuerySchema,
      response: { 200: rollResultReplySchema, ...errorReplies },
    },
    handler: async (request, reply) => {
      const { cohort, agent } = request.params;
      const body = await readGetBody(request, reply);
      const id = readRequestId(body) ?? request.query.reward_request_id;
      if (id === undefined) {
        throw new ServiceError(
          'invalid_request',
          'Send {"reward_request_id": "…"} as the JSON body, or ?reward_request_id= in the URL.',
        );
      }
      const graded = scoreOfRequestId(id);
      if (graded !== null) return toScored(graded);
      const ticket = await rewards.recall(cohort, agent, id);
      return toRollResult(await rewards.settle(ticket, { waitMs: 0, signal: null }));
    },
  });
}
