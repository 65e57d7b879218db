import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BuiltCommand } from '../support/built-command.ts';
import { findFreePort, RedisServer } from '../support/redis-server.ts';
import { ServerProcess } from './server-process.ts';

const SECRET = 'hunter2-Q9zx+/@ "w';
/** As a URL has to write it, and as its parts look like that no encoding changes. */
const ENCODED = encodeURIComponent(SECRET);
const TRACES = [
  SECRET,
  ENCODED,
  'hunter2',
  'Q9zx',
  Buffer.from(`:${SECRET}`).toString('base64').slice(4, 20),
];

/** None of the ways to write the secret is in it. */
function expectNothingIn(text: string): void {
  expect(text).not.toBe('');
  expect(TRACES.filter((trace) => text.includes(trace))).toEqual([]);
}

describe('a server that holds a secret', () => {
  let command: BuiltCommand;
  let folder: string;
  let redis: RedisServer | null = null;

  beforeAll(() => {
    command = new BuiltCommand();
    folder = mkdtempSync(join(tmpdir(), 'peervote-secrets-'));
  }, 180_000);
  afterEach(async () => {
    await redis?.stop();
    redis = null;
  });
  afterAll(() => {
    command.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    new ServerProcess(args, env, command.path);
  /** Looks at all of them at the same time. */
  const eachOf = async <T>(all: readonly T[], look: (one: T) => Promise<void>) => {
    await Promise.all(all.map(look));
  };

  const base = ['--port', '0', '--agents', 'a,b', '--k', '2', '--mode', 'raw', '--log-level', 'trace'];
  /** What people see of a running server: its replies to all kinds of requests, and its output until it has stopped. */
  const seen = async (server: ServerProcess, headers: Readonly<Record<string, string>> = {}) => {
    const url = await server.listening();
    const paths = [
      '/readyz',
      '/v1/cohorts/default',
      '/v1/cohorts',
      '/metrics',
      '/nothing',
      '/v1/cohorts/%ZZ',
    ];
    const replies = await Promise.all(
      paths.map(async (path) => (await fetch(url + path, { headers })).text()),
    );
    const rollouts = await fetch(`${url}/v1/cohorts/default/agents/a/rollouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        groups: [{ prompt_id: 'p', task: 'code', mode: 'code', rollouts: [{ index: 0, completion: 'x' }] }],
      }),
    });
    replies.push(await rollouts.text());
    server.child.kill('SIGTERM');
    await server.ended;
    return replies.join('\n') + server.said;
  };

  it.each<[string, 'another' | 'renamed' | 'none', (port: number) => string]>([
    ['a password that is wrong', 'another', (port) => `redis://:${ENCODED}@127.0.0.1:${port}`],
    ['a user that is not known', 'another', (port) => `redis://votes:${ENCODED}@127.0.0.1:${port}`],
    ['a password where none is asked for', 'none', (port) => `redis://:${ENCODED}@127.0.0.1:${port}`],
    [
      'a Redis that quotes the command that it does not know',
      'renamed',
      (port) => `redis://:${ENCODED}@127.0.0.1:${port}`,
    ],
    [
      'sentinels that refuse the password',
      'another',
      (port) => `redis+sentinel://votes:${ENCODED}@127.0.0.1:${port}/group`,
    ],
    [
      'a cluster that refuses the password',
      'another',
      (port) => `redis+cluster://votes:${ENCODED}@127.0.0.1:${port}`,
    ],
    ['a password that needs no encoding', 'another', (port) => `redis://:hunter2@127.0.0.1:${port}`],
  ])(
    'tells nobody of it beside %s',
    async (_, refusal, urlOf) => {
      redis = await RedisServer.start({
        args: refusal === 'renamed' ? ['--rename-command', 'AUTH', 'LOGIN'] : [],
      });
      if (refusal === 'another') await redis.ask('CONFIG SET requirepass another');
      const url = urlOf(redis.port);
      await eachOf(
        [run([...base, '--redis', url]), run(base, { PEERVOTE_REDIS_URL: url })],
        async (server) => {
          expectNothingIn(await seen(server));
        },
      );
    },
    180_000,
  );

  it('tells nobody of it beside a Redis that is away', async () => {
    const url = `redis://votes:${ENCODED}@127.0.0.1:${await findFreePort()}`;
    expectNothingIn(await seen(run([...base, '--redis', url])));
  }, 180_000);

  it.each([
    `redis://:p/${SECRET}@host`,
    `redis://votes:${SECRET}@host:6379`,
    `votes:hunter2@host`,
    `redis://u:12/hunter2@host`,
    `redis://:hunter2%ZZ@host`,
    'hunter2',
  ])(
    'does not start on a URL that cannot be read, names the encoding, and shows nothing of %s',
    async (url) => {
      const file = join(folder, 'c.yaml');
      writeFileSync(file, JSON.stringify({ redis: { url } }));
      await eachOf(
        [
          run([...base, '--redis', url]),
          run(base, { PEERVOTE_REDIS_URL: url }),
          run([...base, '--config', file]),
        ],
        async (server) => {
          expect((await server.ended).code).toBe(2);
          expectNothingIn(server.said);
          expect(server.said).toMatch(/percent-encode|none of these schemes/);
        },
      );
    },
    180_000,
  );

  it('shows nothing of what stands beside an option that it does not know', async () => {
    await eachOf(
      [[`--rediss=redis://u:${SECRET}@h`], [`redis://u:${ENCODED}@h`], [`--redis-password=${SECRET}`]],
      async (args) => {
        const server = run([...base, ...args]);
        expect((await server.ended).code).not.toBe(0);
        expectNothingIn(server.said);
      },
    );
  }, 180_000);

  it.each(['env', 'file'])(
    'tells nobody of a token in the %s, whether it is known or not',
    async (where) => {
      const token = 'hunter2-token-of-the-admin';
      const text = JSON.stringify({ admin: token });
      const file = join(folder, 'tokens.yaml');
      writeFileSync(file, text);
      const open = () =>
        where === 'env' ? run(base, { PEERVOTE_SERVER_TOKENS: text }) : run([...base, '--tokens-file', file]);
      await eachOf([token, 'hunter2-another-token'], async (sent) => {
        expectNothingIn(await seen(open(), { authorization: `Bearer ${sent}` }));
      });
    },
    180_000,
  );

  it.each(['env', 'file'])(
    'does not start on tokens in the %s that cannot be taken, and shows none',
    async (where) => {
      await eachOf(
        [
          'admin: hunter2',
          'hunter2-hunter2-hunter2',
          '{hunter2-hunter2-hunter2: 1}',
          'admin: [hunter2',
          '*hunter2',
        ],
        async (text) => {
          const file = join(folder, `bad-${text.length}-${text.charCodeAt(0)}.yaml`);
          writeFileSync(file, text);
          const server =
            where === 'env'
              ? run(base, { PEERVOTE_SERVER_TOKENS: text })
              : run([...base, '--tokens-file', file]);
          expect((await server.ended).code).toBe(2);
          expectNothingIn(server.said);
        },
      );
    },
    120_000,
  );

  it('tells nobody of the key of a judge that quotes it, nor of who logs in at the sandbox', async () => {
    const echo = createServer((request, reply) => {
      reply.writeHead(401, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ error: { message: `bad key ${request.headers.authorization}` } }));
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port } = echo.address() as AddressInfo;
    const file = join(folder, 'key');
    writeFileSync(file, 'hunter2-api-key');
    const flags = ['--method', 'llm-judge', '--judge-url', `http://127.0.0.1:${port}`, '--judge-model', 'm'];
    await eachOf(
      [
        run([...base, ...flags], { PEERVOTE_JUDGE_API_KEY_ENV: 'KEY', KEY: 'hunter2-api-key' }),
        run([...base, ...flags], { PEERVOTE_JUDGE_API_KEY_FILE: file }),
        run(base, { PEERVOTE_CODE_SANDBOX_URL: `http://u:${ENCODED}@127.0.0.1:${port}` }),
      ],
      async (server) => {
        expectNothingIn(await seen(server));
      },
    );
    echo.close();
  }, 180_000);
});
