import { afterAll, beforeAll } from 'vitest';
import { RedisCluster } from '../support/redis-cluster.ts';
import { openRedisStore } from '../support/redis-store.ts';
import { describeStore } from './store.contract.ts';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await RedisCluster.start();
});
afterAll(() => cluster.stop());

// The shards of a cohort lie on three nodes, which answer each for itself.
describeStore('redis cluster of three nodes', (clock) =>
  openRedisStore(cluster.url, { now: () => clock.now() }),
);
