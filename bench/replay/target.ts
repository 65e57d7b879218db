import { startServer } from '../support/server-process.ts';
import { Fleet } from './fleet.ts';
import { RoundRobin } from './round-robin.ts';

/** What a replay talks to. */
export interface Target {
  /** Where the clients send. */
  readonly url: string;
  /** Every server behind it that runs just now. */
  readonly urls: () => readonly string[];
  /** Null: its processes are not the tool's to kill. */
  readonly fleet: Fleet | null;
  readonly warnings: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
}

export interface TargetOptions {
  readonly urls: readonly string[];
  readonly redis: string | null;
  readonly replicas: number;
  /** Flags of `peervote serve` for what is started. */
  readonly flags: readonly string[];
}

/** Finds the servers of a replay, or starts them. */
export async function openTarget({ urls, redis, replicas, flags }: TargetOptions): Promise<Target> {
  const [given] = urls;
  if (given !== undefined) {
    const balancer = urls.length > 1 ? await RoundRobin.start(urls) : null;
    return {
      url: balancer?.url ?? given,
      urls: () => urls,
      fleet: null,
      warnings: new Map(),
      stop: async () => balancer?.stop(),
    };
  }
  if (replicas > 1) {
    const fleet = await Fleet.start({ replicas, redis, flags });
    const { url, warnings } = fleet;
    return { url, urls: () => fleet.urls, fleet, warnings, stop: () => fleet.stop() };
  }
  const store = redis === null ? [] : ['--redis', redis, '--redis-prefix', `replay-${process.pid}:`];
  const server = await startServer([...flags, ...store]);
  const { url, warnings } = server;
  return { url, urls: () => [url], fleet: null, warnings, stop: () => server.stop() };
}
