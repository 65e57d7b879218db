import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
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
  waitSchema,
} from '../../protocol/native/request.ts';
import { type AgentPath, agentParams, submissionParams } from '../../protocol/params.ts';
import type { Ticket } from '../../service/submission.ts';
import type { AppParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';
import { releaseWhenUnanswered } from '../release.ts';

/** The protocol of the adapters: any mix of prompts, waits in slices, resumes by submission id. */
export function registerNativeRoutes(scope: FastifyInstance, parts: AppParts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const replies = { 200: decidedReplySchema, 202: pendingReplySchema, ...errorReplies };

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/rollouts',
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
      // Listens from now on: the caller may leave while its rollouts are stored.
      const { signal } = request;
      const ticket = await record(request);
      return answer(ticket, request.query.wait, signal, reply);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/agents/:agent/submissions/:submission',
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
      const { signal } = request;
      const ticket = await parts.rewards.recall(cohort, agent, submission);
      return answer(ticket, request.query.wait, signal, reply);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/skip',
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
      const skipped = await parts.rewards.skip(params.cohort, params.agent, body.incarnation ?? null, skips);
      return { skipped: skipped.map(({ promptId, round }) => ({ prompt_id: promptId, round })) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/cohorts/:cohort/agents/:agent/finish',
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
      const decided = await parts.rewards.finish(params.cohort, params.agent, body?.incarnation ?? null);
      return { status: 'finished' as const, decided_groups: decided };
    },
  });

  /** Takes the body out of the request, so that whoever waits does not keep it alive. */
  async function record(
    request: FastifyRequest<{ Params: AgentPath; Body: SubmissionBody }>,
  ): Promise<Ticket> {
    const { cohort, agent } = request.params;
    const input = toSubmissionInput(cohort, agent, request.body);
    (request as { body: unknown }).body = null;
    return parts.rewards.record(input);
  }

  async function answer(ticket: Ticket, waitSeconds: number, signal: AbortSignal, reply: FastifyReply) {
    releaseWhenUnanswered(reply, ticket, parts.rewards, reply.log);
    const waitMs = Math.min(waitSeconds * 1000, parts.settings.maxWaitMs);
    const result = await parts.rewards.settle(ticket, { waitMs, signal });
    reply.code(result.kind === 'decided' ? 200 : 202);
    return toSubmissionReply(result, parts.caretaker.troubles(ticket.cohort.name));
  }
}
