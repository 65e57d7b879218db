import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServerProcess } from './server-process.ts';

const BODY_BYTES = 16 * 1_048_576;
/** Starting a server and sending it so much may take that long on a busy machine. */
const TEST_MS = 120_000;

const listOf = (unit: string, bytes: number) => `[${`${unit},`.repeat(bytes / (unit.length + 1))}${unit}]`;
const ROLLOUTS = '/v1/cohorts/default/agents/a/rollouts';
const BODIES: readonly (readonly [string, string, (bytes: number) => string, 'POST' | 'PUT'])[] = [
  ['zeros for rollouts', ROLLOUTS, (n) => `{"groups":[{"rollouts":${listOf('0', n)}}]}`, 'POST'],
  ['empty objects', ROLLOUTS, (n) => `{"groups":[{"rollouts":${listOf('{}', n)}}]}`, 'POST'],
  ['lists in lists', ROLLOUTS, (n) => '['.repeat(n / 2) + ']'.repeat(n / 2), 'POST'],
  ['one long text', ROLLOUTS, (n) => `{"groups":[{"prompt_id":"${'x'.repeat(n)}"}]}`, 'POST'],
  ['a text that does not end', ROLLOUTS, (n) => `{"groups":[{"prompt_id":"${'x'.repeat(n)}`, 'POST'],
  [
    'texts for queries',
    '/openrlhf/default/a',
    (n) => `{"query":${listOf('""', n)},"prompts":[],"labels":[]}`,
    'POST',
  ],
  [
    'messages for a prompt',
    '/slime/default/a',
    (n) => `{"prompt":${listOf('{}', n)},"response":"x"}`,
    'POST',
  ],
  [
    'a list for the info',
    '/roll/default/a/submit_task',
    (n) => `{"data_id":"p","reward_info":${listOf('0', n)}}`,
    'POST',
  ],
  ['too many answers', '/v1/vote', (n) => `{"answers":${listOf('"4"', n)}}`, 'POST'],
  ['bad lines of a manifest', '/v1/cohorts/default/prompts', (n) => '{}\n'.repeat(n / 3), 'PUT'],
];

const kibibytes = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe.skipIf(process.platform !== 'linux')('a malformed body of 16 MB', () => {
  it.each(BODIES)(
    'takes no more than four times its length of memory while it is refused: %s',
    async (_what, path, bodyOf, method) => {
      const server = new ServerProcess(['--agents', 'a,b', '--port', '0']);
      const url = await server.listening();
      const pid = server.child.pid ?? 0;
      const send = async (body: string) => {
        const headers = { 'content-type': 'application/json' };
        const reply = await fetch(url + path, { method, headers, body });
        await reply.text();
        return reply.status;
      };
      // What is compiled and allocated for the first time belongs to no body.
      for (let time = 0; time < 20; time++) await send(bodyOf(10_000));
      // The peak begins anew.
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      const before = kibibytes(pid, 'VmRSS');
      const body = bodyOf(BODY_BYTES);
      expect(await send(body)).toSatisfy((status: number) => status >= 400 && status < 500);
      // Rubbish of the requests before is not of this body: a little more than its four times.
      expect((kibibytes(pid, 'VmHWM') - before) * 1_024).toBeLessThan(4.25 * body.length);
    },
    TEST_MS,
  );
});
