import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { stringify } from 'yaml';
import { describeResponses } from './describe-responses.ts';
import { tidyDocument } from './tidy-document.ts';

type Meta = { readonly examples?: readonly unknown[] } | undefined;
type ZodToJsonConfig = NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']>;

/** Bounds that only say "a safe integer", and closed replies, would make adding a field a breaking change. */
const zodToJsonConfig: ZodToJsonConfig = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const schema = jsonSchema as Record<string, unknown>;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    const { def } = zodSchema._zod;
    const isStrict = def.type === 'object' && def.catchall !== undefined;
    if (!isStrict && schema.additionalProperties === false) delete schema.additionalProperties;
    // Left out where the schema transforms what it reads; ours show what is sent.
    const { examples } = ('meta' in zodSchema && (zodSchema.meta as () => Meta)()) || {};
    if (examples !== undefined) schema.examples = examples;
  },
};

/** Describes the API from the schemas of its routes: /openapi.json, /openapi.yaml, and a page at /docs. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  // The description of the API is no secret, and the page's own routes are registered by a package.
  app.addHook('onRoute', (route) => {
    if (!/^\/(docs|openapi\.)/.test(route.url)) return;
    route.config = { need: 'nothing', ...route.config };
  });
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'PeerVote',
        version,
        description:
          'The reward server for Co-RL: trainers submit rollouts and get back whether each answer equals what their peer policy voted for. Every reward is a float.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{ bearer: [] }, { basic: [] }, {}],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A token, where the server has any.' },
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'The token as the password of the URL, for trainers that take nothing but a URL.',
          },
        },
      },
      tags: [
        { name: 'rollouts', description: 'Submit, wait, skip, finish: the protocol of the adapters.' },
        { name: 'trainers', description: 'Dialects of trainers that only take a URL.' },
        { name: 'answers', description: 'Extract, grade and vote for anyone; nothing is stored.' },
        {
          name: 'cohorts',
          description: 'Training runs, their live state, and why a reward was what it was.',
        },
        { name: 'operations', description: 'Health, readiness and metrics.' },
      ],
    },
    transform: createJsonSchemaTransform({ skipList: [], zodToJsonConfig }),
    transformObject: (input) =>
      describeResponses(tidyDocument(transformObject(input) as Record<string, unknown>)),
  });
  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
  app.get('/openapi.yaml', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/yaml').send(renderOpenApi(app)),
  );
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // The page's own cloud services would send what is typed there to a third party.
      agent: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
}

/** The description as it is checked in under openapi/. */
export function renderOpenApi(app: FastifyInstance): string {
  return stringify(app.swagger(), { lineWidth: 110, aliasDuplicateObjects: false });
}
