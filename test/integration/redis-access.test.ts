import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../../src/cli/compose.ts';
import { composeFromFlags, payBoth, readiness } from '../support/composed-server.ts';
import { RedisServer } from '../support/redis-server.ts';

const document = readFileSync(new URL('../../docs/redis.md', import.meta.url), 'utf8');
const [, listed = ''] = /```acl\n(?<rules>[^`]+)```/.exec(document) ?? [];
const RULES = listed.split(/\s+/).filter(Boolean);
const COMMANDS = RULES.filter((rule) => rule.startsWith('+'));
/** Commands of connecting, subscribing and restarts, which a server that runs already does not need. */
const EARLIER = ['+eval', '+ping', '+info', '+client', '+select', '+config|get', '+cluster'];
const LISTENING = ['+subscribe', '+psubscribe', '+ssubscribe', '+sunsubscribe'];

describe.each([
  { kind: 'one server', cluster: false, unused: '+spublish', listens: ['+subscribe', '+psubscribe'] },
  { kind: 'a cluster', cluster: true, unused: '+publish', listens: ['+ssubscribe', '+cluster'] },
])('a user with the rights that docs/redis.md lists, on $kind', ({ cluster, unused, listens }) => {
  let redis: RedisServer;
  let server: Server | null = null;

  beforeAll(async () => {
    redis = await RedisServer.start({ cluster });
  });
  beforeEach(() => allow());
  afterEach(async () => {
    await server?.close();
    server = null;
  });
  afterAll(() => redis.stop());
  /** Gives the user the listed rights, and these changes to them. */
  const allow = async (...changes: readonly string[]) => {
    const reply = await redis.ask(`ACL SETUSER votes reset on >secret ${[...RULES, ...changes].join(' ')}`);
    expect(reply).toMatch(/^\+OK/);
  };
  const start = async (login = 'votes:secret') => {
    server = await composeFromFlags({ redis: redis.url.replace('//', `//${login}@`) });
    return server;
  };

  it('is all that a whole round trip takes', async () => {
    const running = await start();
    await expect.poll(() => readiness(running)).toEqual({ status: 200, detail: '' });
    expect(await payBoth(running, 'p')).toEqual([
      [1, 0],
      [1, 0],
    ]);
    const { statusCode } = await running.app.inject({ method: 'DELETE', url: '/v1/cohorts/default' });
    expect(statusCode).toBe(204);
    expect(await redis.ask('ACL LOG')).toMatch(/^\*0/);
  });

  it('shows at readiness which command is missing', async () => {
    const running = await start();
    await expect.poll(() => readiness(running)).toEqual({ status: 200, detail: '' });
    const silent: string[] = [];
    for (const right of COMMANDS) {
      await allow(`-${right.slice(1)}`);
      const { status, detail } = await readiness(running);
      if (status !== 503 || !detail.includes('rights')) silent.push(right);
    }
    expect(silent.sort()).toEqual([...EARLIER, ...LISTENING, unused].sort());
  });

  it.each([...listens, '+ping', '+eval'])(
    'shows at readiness that %s is missing from the start',
    async (right) => {
      await allow(`-${right.slice(1)}`);
      await redis.ask('SCRIPT FLUSH');
      const running = await start();
      await expect
        .poll(() => readiness(running), { timeout: 5_000 })
        .toEqual({ status: 503, detail: expect.stringContaining('rights') });
    },
  );

  it.each([
    ['keys', 'resetkeys'],
    ['channels', 'resetchannels'],
  ])('shows at readiness that the %s are missing', async (_, change) => {
    await allow(change);
    const running = await start();
    expect(await readiness(running)).toEqual({ status: 503, detail: expect.stringContaining('rights') });
  });

  it('is refused with a wrong password, and the answer says so', async () => {
    const running = await start('votes:wrong');
    expect(await readiness(running)).toEqual({
      status: 503,
      detail: expect.stringContaining('the password'),
    });
  });
});
