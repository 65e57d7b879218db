import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { parseManifest } from '../../protocol/manifest/parse-manifest.ts';
import { manifestBodySchema, manifestReplySchema, toManifestReply } from '../../protocol/manifest/reply.ts';
import { cohortParams } from '../../protocol/params.ts';
import { nothingSchema } from '../../protocol/status.ts';
import type { RouteParts } from '../app.ts';
import { errorReplies } from '../error-replies.ts';

/** The manifest of a cohort: its problems by text, for trainers that send nothing else. */
export function registerPromptRoutes(scope: FastifyInstance, { cohorts, manifests }: RouteParts): void {
  // A file of lines has no one media type, and curl sends it as a form.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'PUT',
    url: '/v1/cohorts/:cohort/prompts',
    config: { need: 'administer' },
    schema: {
      operationId: 'putPrompts',
      summary: 'Tell the texts of the problems (JSON Lines)',
      description:
        'For trainers that send only text: a prompt without an id in its label is then found by its text, and refused with 422 unknown_prompt if the manifest does not hold it. Replaces an earlier manifest; repeating it is safe. Gone with its cohort.',
      tags: ['cohorts'],
      consumes: ['application/x-ndjson'],
      params: cohortParams,
      body: manifestBodySchema,
      response: { 200: manifestReplySchema, ...errorReplies },
    },
    handler: async ({ params, body }) => {
      const manifest = parseManifest(body);
      await manifests.put(params.cohort, manifest);
      return toManifestReply(manifest);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/cohorts/:cohort/prompts',
    config: { need: 'look' },
    schema: {
      operationId: 'getPrompts',
      summary: 'What the manifest of a cohort holds',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 200: manifestReplySchema, ...errorReplies },
    },
    handler: async ({ params }) => {
      await cohorts.get(params.cohort);
      return toManifestReply(await manifests.get(params.cohort));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/cohorts/:cohort/prompts',
    config: { need: 'administer' },
    schema: {
      operationId: 'deletePrompts',
      summary: 'Forget the manifest of a cohort',
      tags: ['cohorts'],
      params: cohortParams,
      response: { 204: nothingSchema, ...errorReplies },
    },
    handler: async ({ params }, reply) => {
      await manifests.put(params.cohort, null);
      return reply.code(204).send(null);
    },
  });
}
