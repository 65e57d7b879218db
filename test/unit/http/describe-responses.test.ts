import { expect, it } from 'vitest';
import { describeResponses } from '../../../src/http/describe-responses.ts';

const media = (schema: object) => ({
  description: 'Default Response',
  content: { 'application/json': { schema } },
});

it('describes a response by its schema, named or not, and keeps what is described already', () => {
  const { paths } = describeResponses({
    components: { schemas: { Known: { description: 'A known thing.' }, Plain: {} } },
    paths: {
      '/a': {
        responses: [
          media({ $ref: '#/components/schemas/Known' }),
          media({ description: 'Inline.' }),
          media({ $ref: '#/components/schemas/Plain' }),
          { description: 'Default Response' },
          { ...media({}), description: 'Its own.' },
        ],
      },
    },
  }) as { paths: { '/a': { responses: { description: string }[] } } };
  expect(paths['/a'].responses.map(({ description }) => description)).toEqual([
    'A known thing.',
    'Inline.',
    'The answer.',
    'Done; there is no content.',
    'Its own.',
  ]);
});

it('leaves a document without schemas as it is', () => {
  expect(describeResponses({ paths: { '/a': null, '/b': [1] } })).toEqual({
    paths: { '/a': null, '/b': [1] },
  });
});
