import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/cli/compose.ts';
import { createClient } from '../../src/store/redis/clients.ts';
import { parseRedisUrl } from '../../src/store/redis/target.ts';
import { Certificates } from '../support/certificates.ts';
import { composeFromFlags, payBoth, readiness } from '../support/composed-server.ts';
import { findFreePort, RedisServer } from '../support/redis-server.ts';

describe('a Redis that speaks TLS', () => {
  let authority: Certificates;
  let redis: RedisServer;
  let port: number;
  let server: Server | null = null;
  const uncaught: Error[] = [];
  const onUncaught = (error: Error) => uncaught.push(error);

  beforeAll(async () => {
    process.on('uncaughtException', onUncaught);
    authority = new Certificates();
    port = await findFreePort();
    const { cert, key } = authority.issue('DNS:localhost,IP:127.0.0.1');
    redis = await RedisServer.start({
      args: [
        ...['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key],
        ...['--tls-ca-cert-file', authority.ca, '--tls-auth-clients', 'optional'],
      ],
    });
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });
  afterAll(async () => {
    process.off('uncaughtException', onUncaught);
    await redis.stop();
    authority.remove();
  });
  const start = async (host: string, flags: Readonly<Record<string, string>>) => {
    server = await composeFromFlags({ redis: `rediss://${host}:${port}`, ...flags });
    return server;
  };

  it.each(['localhost', '127.0.0.1'])('carries rewards when its CA is named, at %s', async (host) => {
    const running = await start(host, { redisTlsCaFile: authority.ca });
    expect(await readiness(running)).toEqual({ status: 200, detail: '' });
    expect(await payBoth(running, `tls-${host}`)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('is shown a certificate of ours where it asks for one', async () => {
    await redis.ask('CONFIG SET tls-auth-clients yes');
    const { cert, key } = authority.issue('DNS:peervote');
    const shown = await start('localhost', {
      redisTlsCaFile: authority.ca,
      redisTlsCertFile: cert,
      redisTlsKeyFile: key,
    });
    expect(await payBoth(shown, 'mutual')).toEqual([
      [1, 0],
      [1, 0],
    ]);
    await redis.ask('CONFIG SET tls-auth-clients optional');
  });

  it('is not trusted when its certificate comes from another CA, and the answer says so', async () => {
    const other = new Certificates();
    const running = await start('localhost', { redisTlsCaFile: other.ca });
    other.remove();
    expect(await readiness(running)).toEqual({
      status: 503,
      detail: expect.stringMatching(/certificate that Redis shows is not trusted.*redis\.tls_ca_file/),
    });
    expect(await payBoth(running, 'other-ca')).toEqual([
      expect.stringContaining('not trusted'),
      expect.stringContaining('not trusted'),
    ]);
  });

  it('is not trusted under a name that its certificate is not for', async () => {
    const { cert, key } = authority.issue('DNS:redis.example');
    await redis.ask(`CONFIG SET tls-cert-file ${cert} tls-key-file ${key}`);
    const running = await start('localhost', { redisTlsCaFile: authority.ca });
    expect(await readiness(running)).toEqual({
      status: 503,
      detail: expect.stringContaining('redis.example'),
    });
  });

  it('is not trusted without its CA', async () => {
    const running = await start('localhost', {});
    expect(await readiness(running)).toEqual({ status: 503, detail: expect.stringContaining('not trusted') });
  });

  it('may be left in the middle of a handshake, though its certificate is not trusted', async () => {
    const target = parseRedisUrl(`rediss://127.0.0.1:${port}`);
    if (target === null) throw new Error('unreachable');
    for (let round = 0; round < 20; round++) {
      const client = createClient(target, 'commands');
      client.on('error', () => undefined);
      await setImmediate();
      const ended = new Promise((resolve) => client.once('end', resolve));
      client.disconnect();
      await ended;
    }
    expect(uncaught).toEqual([]);
  });
});
