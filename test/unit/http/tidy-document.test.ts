import { expect, it } from 'vitest';
import { tidyDocument } from '../../../src/http/tidy-document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it('keeps the schemas that the paths use, directly or through another, and no others', () => {
  const tidied = tidyDocument({
    paths: { '/a': { post: { schema: ref('Used') } } },
    components: {
      schemas: { Used: { items: ref('Inner') }, Inner: { type: 'string' }, Unused: ref('Inner') },
      other: 1,
    },
  });
  expect(tidied.components).toEqual({
    schemas: { Inner: { type: 'string' }, Used: { items: ref('Inner') } },
    other: 1,
  });
});

it('calls a schema that is only read by its plain name, and keeps two apart that both exist', () => {
  const tidied = tidyDocument({
    paths: { '/a': [ref('OnlyInput'), ref('Both'), ref('BothInput')] },
    components: { schemas: { OnlyInput: { a: 1 }, Both: { b: 1 }, BothInput: { c: 1 } } },
  });
  expect(tidied.paths).toEqual({ '/a': [ref('Only'), ref('Both'), ref('BothInput')] });
  expect(Object.keys((tidied.components as { schemas: object }).schemas)).toEqual([
    'Both',
    'BothInput',
    'Only',
  ]);
});

it('leaves other references, and a document without schemas, as they are', () => {
  const paths = { '/a': { $ref: 'elsewhere.yaml#/x', list: [null, 1, 'text'] } };
  expect(tidyDocument({ paths })).toEqual({ paths, components: { schemas: {} } });
});
