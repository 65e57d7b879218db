import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRlhfRequestSchema } from '../../../../src/protocol/openrlhf/schema.ts';

function messagesFor(body: unknown): string[] {
  return (
    openRlhfRequestSchema
      .safeParse(body)
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  );
}

describe('openRlhfRequestSchema', () => {
  it('reads the request that OpenRLHF sends and ignores what it does not know', () => {
    const body = { query: ['pr'], prompts: ['p'], labels: [{ pid: 1 }], version: 2 };
    expect(openRlhfRequestSchema.parse(body)).toEqual({
      query: ['pr'],
      prompts: ['p'],
      labels: [{ pid: 1 }],
    });
  });

  it('accepts the empty lists that all but one of several reward URLs get', () => {
    const empty = { query: [], prompts: [], labels: [] };
    expect(openRlhfRequestSchema.parse(empty)).toEqual(empty);
  });

  it.each([undefined, null])('reads labels %s as a null for each rollout', (labels) => {
    expect(openRlhfRequestSchema.parse({ query: ['a', 'b'], prompts: ['a', 'b'], labels }).labels).toEqual([
      null,
      null,
    ]);
  });

  it.each(['4', 4, { pid: 'p' }])('takes single values for lists of one, also the label %j', (label) => {
    const body = { query: 'pr', prompts: 'p', labels: label };
    expect(openRlhfRequestSchema.parse(body)).toEqual({ query: ['pr'], prompts: ['p'], labels: [label] });
  });

  it('makes lone surrogates well-formed', () => {
    const { query, prompts } = openRlhfRequestSchema.parse({ query: ['a\ud800'], prompts: ['\udc00'] });
    expect([query, prompts]).toEqual([['a\ufffd'], ['\ufffd']]);
  });

  it('names every list whose length differs from that of query', () => {
    expect(messagesFor({ query: ['a', 'b'], prompts: ['a'], labels: [1, 2, 3] })).toEqual([
      expect.stringContaining('prompts: prompts has length 1 but query has length 2'),
      expect.stringContaining('labels: labels has length 3 but query has length 2'),
    ]);
  });

  it.each([
    [{ prompts: ['a'] }, 'query'],
    [{ query: ['a', 1], prompts: ['a', 'b'] }, 'query.1'],
    [{ query: ['a'], prompts: null }, 'prompts'],
    [[], ''],
    [null, ''],
  ])('refuses %j and names the place', (body, place) => {
    expect(messagesFor(body)).toEqual([expect.stringContaining(`${place}: `)]);
  });

  it('appears in OpenAPI as one object under its id', () => {
    expect(z.toJSONSchema(openRlhfRequestSchema, { io: 'input' })).toMatchObject({
      $ref: '#/$defs/OpenRlhfRequest',
      $defs: { OpenRlhfRequest: { type: 'object', required: ['query', 'prompts'] } },
    });
  });
});
