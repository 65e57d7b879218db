import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRlhfOf, openServer, type Reply, submissionOf, type TestServer } from './test-server.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const DEPTH = 20_000;
/** Nested so deeply that whatever walks it by recursion fails. */
const deep = (open: string, close: string): string => open.repeat(DEPTH) + close.repeat(DEPTH);
const DEEP = [deep('[', ']'), `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`];
const HERE = 'here, and nowhere else';

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    '__proto__',
    '',
    ' ',
    '~1',
    '\ud800',
    '\u0000',
    'x'.repeat(70_000),
    1e308,
    -0,
    1.5,
    2 ** 53,
  ),
);

/** Replaces one place of a body, chosen by `pick`, by something else. */
function replaceAt(body: Json, pick: number, other: Json): Json {
  let places = 0;
  const count = (node: Json): void => {
    places += 1;
    if (node !== null && typeof node === 'object') for (const child of Object.values(node)) count(child);
  };
  count(body);
  let left = pick % places;
  const walk = (node: Json): Json => {
    if (left-- === 0) return other;
    if (Array.isArray(node)) return node.map(walk);
    if (node === null || typeof node !== 'object') return node;
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
  };
  return walk(body);
}

const BODIES: readonly [string, 'POST' | 'PUT', string, Json][] = [
  [
    'a submission',
    'POST',
    '/v1/cohorts/test/agents/a/rollouts',
    {
      ...submissionOf('p', ['4', '5']),
      submission_id: 's',
      incarnation: null,
      step: 1,
      split: 'train',
      groups: [
        {
          prompt_id: 'p',
          round: 0,
          task: 'math',
          mode: 'raw',
          ground_truth: ['4', 5],
          rollouts: [{ id: 'r', index: 0, completion: '4', tokens: 3, truncated: false }, { answer: 4 }],
        },
      ],
    },
  ],
  ['a skip', 'POST', '/v1/cohorts/test/agents/b/skip', { step: 1, prompts: [{ prompt_id: 'p', round: 0 }] }],
  [
    'an OpenRLHF call',
    'POST',
    '/openrlhf/test/a?split=eval',
    openRlhfOf('4', { pid: 'p', answer: ['4'], round: 0, step: 1, split: 'eval', task: 'math' }) as Json,
  ],
  [
    'a cohort',
    'PUT',
    '/v1/cohorts/other',
    {
      agents: ['a', { name: 'b', k: 2 }],
      k: 4,
      supervision: 'graph',
      teachers: { a: ['b'], b: ['a'] },
      vote: { tie: 'first', threshold: 0.5 },
      answers: { mode: 'raw' },
    },
  ],
];

function expectDefined(reply: Reply): void {
  expect([reply.status, reply.status < 500 ? null : reply.text]).toEqual([reply.status, null]);
  expect(reply.headers['content-type']).toMatch(/^application\/(problem\+)?json/);
  JSON.parse(reply.text);
}

const send = (server: TestServer, [, method, url]: (typeof BODIES)[number], text: string) =>
  server.send(method, url, text);

describe('whatever somebody sends', () => {
  it.each(BODIES)('in place of a part of %s, the server has a defined answer', async (...one) => {
    const server = await openServer();
    await fc.assert(
      fc.asyncProperty(fc.nat(), value, async (pick, other) => {
        expectDefined(await send(server, one, JSON.stringify(replaceAt(one[3], pick, other))));
      }),
      { numRuns: 200 },
    );
  });

  it.each(BODIES)(
    'nested without end in place of a part of %s, the server has a defined answer',
    async (...one) => {
      const server = await openServer();
      for (let pick = 0; pick < 24; pick++) {
        const text = JSON.stringify(replaceAt(one[3], pick, HERE));
        for (const nested of DEEP)
          expectDefined(await send(server, one, text.replace(JSON.stringify(HERE), nested)));
      }
    },
  );

  it.each(BODIES)(
    'with a length that is no number in place of a part of %s, it is refused',
    async (...one) => {
      const server = await openServer();
      for (let pick = 1; pick < 24; pick++) {
        const text = JSON.stringify(replaceAt(one[3], pick, HERE));
        for (const length of [...DEEP, '{"toString":1,"valueOf":1}', '{"then":1}']) {
          const reply = await send(server, one, text.replace(JSON.stringify(HERE), `{"length":${length}}`));
          expectDefined(reply);
          if (text.includes(HERE))
            expect(reply.status).toSatisfy((status: number) => status < 300 || status === 422);
        }
      }
    },
  );

  it('as text, the server says that it is no JSON or not of the shape', async () => {
    const server = await openServer();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const reply = await server.submit('a', text);
        expect([400, 422]).toContain(reply.status);
      }),
      { numRuns: 200 },
    );
  });
});
