import { explainRedisUrl } from '../config/redis-url.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../domain/clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Logger } from '../service/telemetry.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { inspectServer, type RedisMemory, readMemory } from '../store/redis/inspect-server.ts';
import { RedisStore } from '../store/redis/redis-store.ts';
import { parseRedisUrl, showTarget } from '../store/redis/target.ts';
import { explainTrouble } from '../store/redis/unavailable.ts';
import { Unreadables } from '../store/redis/unreadables.ts';
import type { Store } from '../store/store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** How often held requests look again by themselves; null where nothing is ever lost. */
  readonly recheckMs: number | null;
  /** Null where there is no Redis. */
  readonly redisUp: () => boolean | null;
  /** Null where there is no Redis, or it does not tell. */
  readonly redisMemory: () => Promise<RedisMemory | null>;
}

/** How long a start waits for Redis before it goes on without, to try again by itself. */
const FIRST_CONNECT_MS = 5_000;

/** The store that the configuration asks for. A Redis that is away now may come later. */
export async function openStore(
  { redis }: Config,
  { clock, logger, metrics }: { readonly clock: Clock; readonly logger: Logger; readonly metrics: Metrics },
): Promise<OpenedStore> {
  if (redis === null) {
    const nothing = { recheckMs: null, redisUp: () => null, redisMemory: async () => null };
    return { store: new MemoryStore(clock), ...nothing };
  }
  const target = parseRedisUrl(redis.url);
  if (target === null) throw new Error(`The Redis URL cannot be read: ${explainRedisUrl(redis.url)}.`);
  const shown = showTarget(target);
  const unreadables = new Unreadables();
  const store = new RedisStore({
    target: { ...target, trust: redis.tls },
    prefix: redis.prefix,
    observer: {
      called: (calls, ms, ok) =>
        metrics.observeRedis(
          calls.map(({ name }) => name),
          ms / 1000,
          ok,
        ),
      unreadable: (place, error) => {
        if (unreadables.isNews(place)) logger.error({ place, code: error.code }, error.message);
      },
      stateChanged: (state, error) => {
        if (state === 'up') {
          logger.info({ redis: shown }, 'Connected to Redis.');
          void warn(store, logger);
        } else {
          const away = 'Redis is away: requests are told to come again, those who wait stay.';
          const reason = explainTrouble(error);
          logger.warn({ redis: shown, err: error }, reason === null ? away : `${away} ${reason}`);
        }
      },
    },
  });
  await store.connection.waitUntilUp(FIRST_CONNECT_MS);
  return {
    store,
    recheckMs: redis.recheckMs,
    redisUp: () => store.connection.isUp,
    redisMemory: () => readMemory(store.connection),
  };
}

async function warn(store: RedisStore, logger: Logger): Promise<void> {
  for (const sentence of await inspectServer(store.connection)) logger.warn({}, sentence);
}
