import { RedisServer } from '../../test/support/redis-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { RoundRobin } from './round-robin.ts';

export interface FleetOptions {
  readonly replicas: number;
  /** Null: a Redis of its own, which loses nothing when it is killed. */
  readonly redis: string | null;
  /** Flags of `peervote serve` beside the port and the Redis. */
  readonly flags: readonly string[];
}

/** Replicas over one Redis behind one address. Each of them, and the Redis if it is the fleet's own, can be killed. */
export class Fleet {
  readonly #redis: RedisServer | null;
  readonly #flags: readonly string[];
  readonly #replicas: (ServerProcess | null)[];
  readonly #balancer: RoundRobin;
  readonly warnings = new Map<string, number>();
  /** Some process was killed, and what it had counted is gone. */
  hasLost = false;

  private constructor(
    redis: RedisServer | null,
    flags: readonly string[],
    replicas: ServerProcess[],
    balancer: RoundRobin,
  ) {
    this.#redis = redis;
    this.#flags = flags;
    this.#replicas = replicas;
    this.#balancer = balancer;
  }

  static async start({ replicas: count, redis, flags }: FleetOptions): Promise<Fleet> {
    const own = redis === null ? await RedisServer.start({ appendOnly: true }) : null;
    const store = ['--redis', redis ?? own?.url ?? '', '--redis-prefix', `replay-${process.pid}:`];
    const all = [...flags, ...store, '--replicas', String(count)];
    const replicas = await Promise.all(Array.from({ length: count }, () => startServer(all)));
    return new Fleet(own, all, replicas, await RoundRobin.start(replicas.map(({ url }) => url)));
  }

  get size(): number {
    return this.#replicas.length;
  }

  /** The address of all. */
  get url(): string {
    return this.#balancer.url;
  }

  /** Of those that run. */
  get urls(): string[] {
    return this.#replicas.flatMap((replica) => (replica === null ? [] : [replica.url]));
  }

  /** Ends the replica at this place as a crash would. */
  async kill(place: number): Promise<void> {
    const victim = this.#replicas[place];
    if (victim == null) return;
    this.#replicas[place] = null;
    this.hasLost = true;
    await victim.kill();
    this.#balancer.balance(this.urls);
    this.#keepWarnings(victim);
  }

  /** Starts another in place of the one that was killed. */
  async restore(place: number): Promise<void> {
    this.#replicas[place] = await startServer(this.#flags);
    this.#balancer.balance(this.urls);
  }

  /** Of the fleet's own Redis, but for the marks of deleted cohorts, which stay for a day. */
  async countKeys(): Promise<number> {
    const count = `return redis.call('dbsize') - #redis.call('keys', '*:deleted:*')`;
    const reply = (await this.#redis?.ask(`EVAL "${count}" 0`)) ?? '';
    return Number(reply.slice(1));
  }

  async killRedis(): Promise<void> {
    this.hasLost = true;
    await this.#redis?.kill();
  }

  async restoreRedis(): Promise<void> {
    await this.#redis?.restart();
  }

  async stop(): Promise<void> {
    const running = this.#replicas.flatMap((replica) => replica ?? []);
    await Promise.all(running.map((replica) => replica.stop()));
    for (const replica of running) this.#keepWarnings(replica);
    this.#balancer.stop();
    await this.#redis?.stop();
  }

  #keepWarnings({ warnings }: ServerProcess): void {
    for (const [warning, times] of warnings) {
      this.warnings.set(warning, (this.warnings.get(warning) ?? 0) + times);
    }
  }
}
