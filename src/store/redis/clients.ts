import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from './target.ts';
import { TlsConnector, TlsSentinelConnector } from './tls-connectors.ts';

export type Client = Redis | Cluster;

/** How long a command may take before it counts as failed, in milliseconds. */
export const COMMAND_TIMEOUT_MS = 5_000;

/** Milliseconds until a command that found its node or its cluster down is tried again. */
const CLUSTER_RETRY_MS = 25;

/**
 * Nothing waits in line for a Redis that is away: who asks is told at once. What was sent and got no answer is sent once
 * more, since every script may run twice. A server that turned read-only in a failover is left for its successor.
 */
const COMMON = {
  protocol: 2,
  enableReadyCheck: true,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: true,
  // The subscriber subscribes by itself, to know when it hears again.
  autoResubscribe: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: COMMAND_TIMEOUT_MS,
  keepAlive: 10_000,
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
} as const satisfies RedisOptions;

/** Milliseconds until attempt number `attempt` to connect again: soon at first, with jitter, never given up. */
function retryDelay(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), 1_000) * (0.5 + Math.random() / 2);
}

/** Clients that are to stay closed. */
const closed = new WeakSet<Client>();

/** A client that begins to connect, and never gives it up. `role` tells connections apart in CLIENT LIST. */
export function createClient(target: RedisTarget, role: 'commands' | 'notices'): Client {
  const client = openClient(target, role);
  // ioredis ends a client for good when it hears of a failover while it asks the sentinels for the master.
  client.on('end', () => {
    setTimeout(() => {
      if (!closed.has(client)) client.connect().catch(() => undefined);
    }, retryDelay(0));
  });
  return client;
}

/** Closes a client for good. */
export function closeClient(client: Client): void {
  closed.add(client);
  client.disconnect();
}

function openClient(target: RedisTarget, role: 'commands' | 'notices'): Client {
  const connectionName = `peervote-${role}`;
  const { addresses, username, password, database } = target;
  const [first] = addresses;
  const tls = tlsOptions(target);
  const login = {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls !== null && { tls, Connector: TlsConnector }),
  };
  const single = {
    ...COMMON,
    ...login,
    connectionName,
    retryStrategy: retryDelay,
    enableOfflineQueue: false,
  };
  switch (target.kind) {
    case 'standalone':
      return new Redis({ ...single, ...first, db: database });
    case 'sentinel':
      return new Redis({
        ...single,
        sentinels: [...addresses],
        name: target.group,
        db: database,
        failoverDetector: true,
        enableTLSForSentinelMode: tls !== null,
        ...(tls !== null && { sentinelTLS: tls, Connector: TlsSentinelConnector }),
        sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
        sentinelRetryStrategy: retryDelay,
        ...(password !== null && { sentinelPassword: password }),
        ...(username !== null && { sentinelUsername: username }),
      });
    case 'cluster':
      return new Cluster([...addresses], {
        // Here, and not among redisOptions, where it would count for nothing.
        enableOfflineQueue: false,
        shardedSubscribers: true,
        clusterRetryStrategy: retryDelay,
        slotsRefreshTimeout: COMMAND_TIMEOUT_MS,
        // Sixteen times each, after which whoever asks is told to come again: a trainer waits better than a connection does.
        retryDelayOnClusterDown: CLUSTER_RETRY_MS,
        retryDelayOnFailover: CLUSTER_RETRY_MS,
        redisOptions: { ...COMMON, ...login, connectionName },
      });
  }
}

/**
 * Null without TLS. Sentinels and clusters tell of others by address, so that all of them are expected to show a
 * certificate for the name that the URL begins with; where it begins with an address, each one for its own.
 */
function tlsOptions({ tls, trust, addresses: [first] }: RedisTarget): ConnectionOptions | null {
  if (!tls) return null;
  const { ca = null, cert = null, key = null } = trust ?? {};
  return {
    ...(first !== undefined && isIP(first.host) === 0 && { servername: first.host }),
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  };
}
