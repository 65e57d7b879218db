import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/store/redis/clients.ts';
import { GatheredCalls } from '../../src/store/redis/gathered-calls.ts';
import { parseRedisUrl } from '../../src/store/redis/target.ts';
import { RedisServer } from '../support/redis-server.ts';

describe('calls that are gathered', () => {
  let server: RedisServer;
  let client: ConstructorParameters<typeof GatheredCalls>[0];

  beforeAll(async () => {
    server = await RedisServer.start();
    const target = parseRedisUrl(server.url);
    if (target === null) throw new Error('unreachable');
    client = createClient(target, 'commands') as typeof client;
    client.on('error', () => undefined);
    await new Promise((resolve) => client.once('ready', resolve));
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('give each caller its own outcomes in order, and an error to nobody else', async () => {
    const calls = new GatheredCalls(client);
    const outcomes = await Promise.all([
      calls.send([
        ['set', ['a', '1']],
        ['get', ['a']],
      ]),
      calls.send([['hget', ['a', 'field']]]),
      calls.send([['get', ['a']]]),
    ]);
    expect(outcomes).toEqual([
      [
        [null, 'OK'],
        [null, '1'],
      ],
      [[expect.objectContaining({ message: expect.stringContaining('WRONGTYPE') })]],
      [[null, '1']],
    ]);
  });

  it('fail for all who asked when there is no connection, at once', async () => {
    const calls = new GatheredCalls(client);
    await server.kill();
    await expect.poll(() => client.status).not.toBe('ready');
    const asked = [calls.send([['get', ['a']]]), calls.send([['get', ['a']]])];
    const failed = await Promise.allSettled(asked);
    for (const outcome of failed) {
      const error = outcome.status === 'rejected' ? outcome.reason : outcome.value[0]?.[0];
      expect(error).toBeInstanceOf(Error);
    }
  });
});
