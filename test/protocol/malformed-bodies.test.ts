import { describe, expect, it } from 'vitest';
import { openServer, type Reply } from './test-server.ts';

const MB = 1 << 20;

/** `unit` as often as makes so many bytes, as entries of a list. */
const listOf = (unit: string, bytes: number) => `[${`${unit},`.repeat(bytes / (unit.length + 1))}${unit}]`;
/** Different keys, so that none takes the place of another. */
const keysOf = (bytes: number, value: string) => {
  const parts: string[] = [];
  for (let at = 0; at * (10 + value.length) < bytes; at++) parts.push(`"k${1e6 + at}":${value}`);
  return `{${parts.join()}}`;
};
const nested = (bytes: number) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;
/** As many lists of the longest kind as fit: none of them is too long by itself. */
const groupsOf = (bytes: number) => listOf(`{"rollouts":${listOf('0', 8_000)}}`, bytes);
const label = (text: string) => JSON.stringify(text);

type Body = (bytes: number) => string;

const rollouts = '/v1/cohorts/test/agents/a/rollouts';
const OPERATIONS: readonly (readonly ['POST' | 'PUT', string, Readonly<Record<string, Body>>])[] = [
  [
    'POST',
    rollouts,
    {
      'zeros for rollouts': (n) => `{"groups":[{"rollouts":${listOf('0', n)}}]}`,
      'zeros for groups': (n) => `{"groups":${listOf('0', n)}}`,
      'many groups of zeros': (n) => `{"groups":${groupsOf(n)}}`,
      'empty rollouts': (n) => `{"groups":[{"rollouts":${listOf('{}', n)}}]}`,
      'unknown keys': (n) => keysOf(n, '0'),
      'unknown keys of rollouts': (n) => `{"groups":[{"rollouts":[${keysOf(n, '0')}]}]}`,
      'zeros for choices': (n) => `{"groups":[{"prompt_id":"p","choices":${listOf('0', n)}}]}`,
      'zeros for inputs': (n) => `{"groups":[{"prompt_id":"p","inputs":${listOf('0', n)}}]}`,
      'keys for an input': (n) => `{"groups":[{"prompt_id":"p","inputs":[${keysOf(n, '0')}]}]}`,
      'keys for keywords': (n) => `{"groups":[{"prompt_id":"p","inputs":[{"kwargs":${keysOf(n, '0')}}]}]}`,
      'texts for token values': (n) =>
        `{"groups":[{"prompt_id":"p","rollouts":[{"answer":"1","token_entropies":${listOf('""', n)}}]}]}`,
      'a long truth': (n) =>
        `{"groups":[{"prompt_id":"p","ground_truth":["${'x'.repeat(n)}"],"rollouts":[{"answer":"1","tokens":1e300}]}]}`,
      'a deep truth': (n) =>
        `{"groups":[{"prompt_id":"p","ground_truth":${nested(n)},"rollouts":[{"answer":"1","tokens":-1}]}]}`,
      'a long id': (n) => `{"groups":[{"prompt_id":"${'x'.repeat(n)}","rollouts":[{"answer":"1"}]}]}`,
      'lists in lists': nested,
    },
  ],
  [
    'POST',
    '/v1/cohorts/test/agents/a/skip',
    {
      'zeros for prompts': (n) => `{"prompts":${listOf('0', n)}}`,
      'empty prompts': (n) => `{"prompts":${listOf('{}', n)}}`,
    },
  ],
  ['POST', '/v1/cohorts/test/agents/a/finish', { 'a list': (n) => listOf('0', n) }],
  [
    'POST',
    '/openrlhf/test/a',
    {
      zeros: (n) => `{"query":${listOf('0', n / 2)},"prompts":${listOf('0', n / 2)},"labels":[]}`,
      texts: (n) => `{"query":${listOf('""', n)},"prompts":[],"labels":[]}`,
      'a label that holds zeros': (n) =>
        `{"query":["x"],"prompts":["x"],"labels":[${label(`{"inputs":${listOf('0', n)}}`)}]}`,
      'a label of zeros': (n) =>
        `{"query":["x"],"prompts":["x"],"labels":[{"pid":{},"inputs":${listOf('0', n)}}]}`,
      'a label of keys': (n) => `{"query":["x"],"prompts":["x"],"labels":[{"pid":{},"a":${keysOf(n, '0')}}]}`,
    },
  ],
  [
    'POST',
    '/slime/test/a',
    {
      'zeros for a prompt': (n) => `{"prompt":${listOf('0', n)},"response":"x"}`,
      'empty messages': (n) => `{"prompt":${listOf('{}', n)},"response":0}`,
      'keys of a message': (n) => `{"prompt":[${keysOf(n, '0')}],"response":0}`,
    },
  ],
  [
    'POST',
    '/roll/test/a/submit_task',
    { 'a list for the info': (n) => `{"data_id":[],"reward_info":${listOf('0', n)}}` },
  ],
  ['POST', '/v1/extract', { zeros: (n) => `{"items":${listOf('0', n)}}` }],
  ['POST', '/v1/grade', { zeros: (n) => `{"items":${listOf('0', n)}}` }],
  [
    'POST',
    '/v1/vote',
    {
      'too many answers': (n) => `{"answers":${listOf('{}', n)}}`,
      'one long answer': (n) => `{"answers":["${'4'.repeat(n)}"]}`,
    },
  ],
  [
    'PUT',
    '/v1/cohorts/new',
    {
      'zeros for agents': (n) => `{"agents":${listOf('0', n)}}`,
      'unknown keys': (n) => keysOf(n, '0'),
      'a graph of zeros': (n) => `{"agents":["a","b"],"teachers":${keysOf(n, '[0]')}}`,
    },
  ],
  ['PUT', '/v1/cohorts/test/plan', { 'too many teachers': (n) => `{"teachers":${keysOf(n, '0')}}` }],
  [
    'PUT',
    '/v1/cohorts/test/prompts',
    {
      'zeros for texts': (n) => `{"prompt_id":"p","text":"t","aliases":${listOf('0', n)}}`,
      'bad lines': (n) => '{}\n'.repeat(n / 3),
    },
  ],
];

const CASES = OPERATIONS.flatMap(([method, url, bodies]) =>
  Object.entries(bodies).map(([name, body]) => ({ method, url, name, body })),
);

/** Of each operation the first, and what is made of lists that are none too long by themselves. */
const FIRST_CASES = CASES.filter(
  ({ url, method, name }, at) =>
    name === 'many groups of zeros' ||
    CASES.findIndex((other) => other.url === url && other.method === method) === at,
);

/** Milliseconds of the processor, whatever else the machine does. */
async function cpuOf<T>(action: () => T | Promise<T>): Promise<readonly [T, number]> {
  const start = process.cpuUsage();
  const result = await action();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1_000];
}

/** Reading the body is what it costs in any case; all the rest together may take a few times as long. */
async function check(url: string, text: string, send: () => Promise<Reply>): Promise<void> {
  const [, parsing] = await cpuOf(() => (url.endsWith('/prompts') ? text.split('\n') : JSON.parse(text)));
  const [{ status, text: reply }, cost] = await cpuOf(send);
  expect(status, reply.slice(0, 300)).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(reply.length).toBeLessThan(20_000);
  expect(cost).toBeLessThan(8 * parsing + (100 * text.length) / MB);
}

describe('a malformed body', () => {
  it.each(CASES)('costs little more than to read it: $method $url, $name', async ({ method, url, body }) => {
    const server = await openServer();
    const text = body(MB);
    await check(url, text, () => server.send(method, url, text));
  });

  it.each(FIRST_CASES)(
    'costs no more for each MB when it is larger: $method $url, $name',
    async ({ method, url, body }) => {
      const server = await openServer();
      for (const size of [4 * MB, 16 * MB]) {
        const text = body(size);
        await check(url, text, () => server.send(method, url, text));
      }
    },
  );

  it('names the first twenty faults and says that there are more', async () => {
    const { status, body } = await (await openServer()).submit('a', {
      groups: [{ prompt_id: 'p', rollouts: Array(100).fill(0) }],
    });
    expect(status).toBe(422);
    expect(body.problems).toHaveLength(20);
    expect(body.detail).toContain('(and more)');
  });
});
