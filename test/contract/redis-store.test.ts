import { afterAll, beforeAll } from 'vitest';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { describeStore } from './store.contract.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

// The scripts take the clock of the test for the time of the server, so that deadlines can be met to the millisecond.
describeStore('redis', (clock) => openRedisStore(server.url, { now: () => clock.now() }));
