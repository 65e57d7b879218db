import { afterAll, beforeAll } from 'vitest';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { describeStore } from './store.contract.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start({ cluster: true });
});
afterAll(() => server.stop());

// One node that owns all slots still refuses a script that touches a key of another slot, as a real cluster would.
describeStore('redis cluster', (clock) => openRedisStore(server.url, { now: () => clock.now() }));
