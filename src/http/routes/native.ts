import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { FLOAT_KEYS, stringifyWithFloats } from '../../protocol/float-json.ts';
import {
  decidedReplySchema,
  finishReplySchema,
  pendingReplySchema,
  skipReplySchema,
  toSubmissionReply,
} from '../../protocol/native/reply.ts';
import {
  finishSchema,
  type SubmissionBody,
  skipSchema,
  submissionSchema,
  toSubmissionInput,
  type WaitQuery,
  waitSchema,
} from '../../protocol/native/request.ts';
import { type AgentPath, agentParams, submissionParams } from '../../protocol/params.ts';
import { RETRY_AFTER_S } from '../../protocol/problem.ts';
import type { Ticket } from '../../service/submission.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { Heartbeat } from '../heartbeat.ts';
import { noteWhenWritten, releaseWhenGone } from '../release.ts';

/** The protocol of the adapters: any mix of prompts, waits in slices, resumes by submission id. */
export function registerNativeRoutes(scope: FastifyInstance, parts: RouteParts): void {
  const { rewards, caretaker, callers, clock, settings } = parts;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const replies = { 200: decidedReplySchema, 202: pendingReplySchema, ...errorReplies };

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/rollouts',
    config: { need: 'act' },
    schema: {
      operationId: 'submitRollouts',
      summary: 'Submit rollouts and get their rewards',
      description:
        'Records the rollouts, then waits up to `wait` seconds for the rewards: 200 when all are decided, else 202. Repeating a request is safe, and needed after 503 or a lost connection.',
      tags: ['rollouts'],
      params: agentParams,
      querystring: waitSchema,
      body: submissionSchema,
      response: replies,
    },
    handler: async (request, reply) => {
      const ticket = await record(request, callers.goneSignal(reply));
      return answer(ticket, request.query, reply);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/agents/:agent/submissions/:submission',
    config: { need: 'act' },
    schema: {
      operationId: 'getSubmission',
      summary: 'Ask again for the rewards of a submission',
      description: 'A long poll in slices that proxies survive. On 404, POST the whole submission again.',
      tags: ['rollouts'],
      params: submissionParams,
      querystring: waitSchema,
      response: replies,
    },
    handler: async (request, reply) => {
      const { cohort, agent, submission } = request.params;
      const ticket = await rewards.recall(cohort, agent, submission);
      return answer(ticket, request.query, reply);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/skip',
    config: { need: 'act' },
    schema: {
      operationId: 'skipPrompts',
      summary: 'Tell that no more rollouts come for some prompts',
      description: 'Peers that wait for them get a defined result at once. Repeating it is safe.',
      tags: ['rollouts'],
      params: agentParams,
      body: skipSchema,
      response: { 200: skipReplySchema, ...errorReplies },
    },
    handler: async ({ params, body }) => {
      const skips = body.prompts.map(({ prompt_id, round }) => ({
        promptId: prompt_id,
        round: round ?? null,
        step: body.step ?? null,
      }));
      const skipped = await rewards.skip(params.cohort, params.agent, body.incarnation ?? null, skips);
      return { skipped: skipped.map(({ promptId, round }) => ({ prompt_id: promptId, round })) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/finish',
    config: { need: 'act', bodyIsOptional: true },
    schema: {
      operationId: 'finishAgent',
      summary: 'Tell that this agent is done',
      description: 'Nobody waits for it any more. A later submission brings it back.',
      tags: ['rollouts'],
      params: agentParams,
      body: finishSchema.nullish(),
      response: { 200: finishReplySchema, ...errorReplies },
    },
    handler: async ({ params, body }) => {
      const decided = await rewards.finish(params.cohort, params.agent, body?.incarnation ?? null);
      return { status: 'finished' as const, decided_groups: decided };
    },
  });

  /** Takes the body out of the request, so that whoever waits does not keep it alive. */
  async function record(
    request: FastifyRequest<{ Params: AgentPath; Body: SubmissionBody }>,
    gone: AbortSignal,
  ): Promise<Ticket> {
    const { cohort, agent } = request.params;
    const input = toSubmissionInput(cohort, agent, request.body);
    (request as { body: unknown }).body = null;
    return rewards.record(input, gone);
  }

  async function answer(ticket: Ticket, { wait, heartbeat }: WaitQuery, reply: FastifyReply) {
    const signal = callers.goneSignal(reply);
    releaseWhenGone(signal, ticket, rewards, reply.log);
    const beats = new Heartbeat();
    const startBeats = () => beats.start(reply, clock, (heartbeat ?? 0) * 1000);
    const waitMs = Math.min(wait * 1000, settings.maxWaitMs);
    try {
      const onHeld = heartbeat === undefined ? undefined : startBeats;
      const result = await rewards.settle(ticket, { waitMs, signal, onHeld });
      if (result.kind === 'decided') noteWhenWritten(ticket, rewards, reply);
      const body = toSubmissionReply(result, ticket, caretaker.findings(ticket.cohort.name));
      if (beats.started) {
        beats.end(stringifyWithFloats(body, FLOAT_KEYS));
        return reply;
      }
      // A wait that was cut short must not be asked for again at once.
      if (result.kind === 'pending' && result.crowded) reply.header('retry-after', RETRY_AFTER_S);
      return reply.code(result.kind === 'decided' ? 200 : 202).send(body);
    } catch (error) {
      if (!beats.started) throw error;
      beats.cut();
      return reply;
    }
  }
}
