import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  extractReplySchema,
  extractRequestSchema,
  gradeReplySchema,
  gradeRequestSchema,
  toAnswers,
  toGradeItems,
  toReadItems,
  toVoteReply,
  voteReplySchema,
  voteRequestSchema,
} from '../../protocol/answers.ts';
import { gradeAnswers, readAnswers, voteOnAnswers } from '../../service/answers.ts';
import { errorReplies } from '../error-replies.ts';

/** The answer engine for anyone: nothing is stored. */
export function registerAnswerRoutes(scope: FastifyInstance): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/v1/extract',
    config: { need: 'token' },
    schema: {
      operationId: 'extractAnswers',
      summary: 'Take the answers from completions',
      tags: ['answers'],
      body: extractRequestSchema,
      response: { 200: extractReplySchema, ...errorReplies },
    },
    handler: async ({ body }) => ({ results: await readAnswers(toReadItems(body)) }),
  });

  app.route({
    method: 'POST',
    url: '/v1/grade',
    config: { need: 'token' },
    schema: {
      operationId: 'gradeAnswers',
      summary: 'Hold answers against the truth',
      description: 'More lenient than a vote, symmetric, and a truth that does not parse is never credit.',
      tags: ['answers'],
      body: gradeRequestSchema,
      response: { 200: gradeReplySchema, ...errorReplies },
    },
    handler: async ({ body }) => ({ results: await gradeAnswers(toGradeItems(body)) }),
  });

  app.route({
    method: 'POST',
    url: '/v1/vote',
    config: { need: 'token' },
    schema: {
      operationId: 'voteOnAnswers',
      summary: 'Vote on answers',
      tags: ['answers'],
      body: voteRequestSchema,
      response: { 200: voteReplySchema, ...errorReplies },
    },
    handler: async ({ body }) => {
      const { mode, threshold, denominator, min_votes: minVotes, tie } = body;
      const rules = { threshold, denominator, minVotes, tie, allowEmptyVote: false };
      return toVoteReply(voteOnAnswers(toAnswers(body), mode, rules));
    },
  });
}
