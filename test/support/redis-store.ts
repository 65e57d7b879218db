import { randomUUID } from 'node:crypto';
import type { ConnectionObserver } from '../../src/store/redis/connection.ts';
import { RedisStore } from '../../src/store/redis/redis-store.ts';
import { parseRedisUrl, type RedisTarget } from '../../src/store/redis/target.ts';

const SILENT: ConnectionObserver = {
  called: () => undefined,
  stateChanged: () => undefined,
  unreadable: () => undefined,
};

export interface OpenStoreOptions {
  /** Default: one that nobody else uses. */
  readonly prefix?: string;
  readonly now?: () => number;
}

/** A connected store on the Redis behind `url`. */
export async function openRedisStore(url: string, options: OpenStoreOptions = {}): Promise<RedisStore> {
  const { prefix = `test-${randomUUID()}:`, now } = options;
  const store = new RedisStore({
    target: targetOf(url),
    prefix,
    observer: SILENT,
    ...(now !== undefined && { now }),
  });
  if (!(await store.connection.waitUntilUp(10_000))) throw new Error(`no Redis at ${url}`);
  return store;
}

function targetOf(url: string): RedisTarget {
  const target = parseRedisUrl(url);
  if (target === null) throw new Error(`not a Redis URL: ${url}`);
  return target;
}
