import { setTimeout as delay } from 'node:timers/promises';
import { RedisServer } from '../../test/support/redis-server.ts';
import { bodies, park } from '../load/held-cost.ts';
import { TestServer } from '../load/test-server.ts';

const K = 8;
const WARM_UP = 200;
/** Until the timers of the warm-up and of the parking have passed. */
const SETTLE_MS = 4_000;

export interface WaitingCost {
  /** Heap of the server for one request that it holds, in bytes, with the bucket where that is in the server. */
  readonly heapPerWaiter: number;
  /** Share of one core that the server uses while nothing happens, 0 to 1. */
  readonly cpuShare: number;
  /** The same of Redis; null without one. */
  readonly redisCpuShare: number | null;
}

/** What so many requests cost that wait for a peer, each for one prompt of eight rollouts, on a server of its own. */
export async function measureWaiting(
  program: string,
  {
    waiters,
    seconds,
    shared,
  }: { readonly waiters: number; readonly seconds: number; readonly shared: boolean },
): Promise<WaitingCost> {
  const redis = shared ? await RedisServer.start() : null;
  const server = await TestServer.start(program, redis === null ? {} : { redisUrl: redis.url });
  try {
    const limits = { held_requests: waiters + WARM_UP };
    await server.putCohort('load', { agents: ['a', 'b'], k: K, limits });
    const write = bodies({ protocol: 'native', prompts: 1, times: 1 });
    await park(server, WARM_UP, 'native', write);
    const before = await server.measure();
    await park(server, waiters, 'native', write);
    await delay(SETTLE_MS);
    const after = await server.measure();
    await delay(SETTLE_MS);
    const [started, cpu, redisCpu] = [performance.now(), await server.cpu(), await cpuOf(redis)];
    await delay(seconds * 1000);
    const [used, redisUsed] = [(await server.cpu()) - cpu, (await cpuOf(redis)) - redisCpu];
    const elapsed = (performance.now() - started) / 1000;
    return {
      heapPerWaiter: (after.heap - before.heap) / waiters,
      cpuShare: used / elapsed,
      redisCpuShare: redis === null ? null : redisUsed / elapsed,
    };
  } finally {
    await server.stop();
    await redis?.stop();
  }
}

/** CPU seconds that Redis used so far; 0 without one. */
async function cpuOf(redis: RedisServer | null): Promise<number> {
  if (redis === null) return 0;
  const info = await redis.ask('INFO cpu');
  return ['used_cpu_user', 'used_cpu_sys']
    .map((name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]))
    .reduce((a, b) => a + b);
}
