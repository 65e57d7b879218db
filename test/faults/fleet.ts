import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Replica, type ReplicaOptions } from '../support/replica.ts';
import { payOffline, type Result, type Sample, type Servers, train } from '../support/trainer.ts';

export const AGENTS = ['a', 'b'];
export const K = 4;

/** Replicas over one Redis, and trainers that talk to them. */
export class Fleet implements Servers {
  readonly replicas: Replica[] = [];
  readonly #options: Pick<ReplicaOptions, 'command' | 'redisUrl' | 'flags'>;

  private constructor(options: Pick<ReplicaOptions, 'command' | 'redisUrl' | 'flags'>) {
    this.#options = options;
  }

  static async start(
    count: number,
    {
      command,
      redis,
      redisUrl = redis.url,
      agents = AGENTS,
      flags = [],
    }: {
      readonly command: string;
      readonly redis: { readonly url: string };
      readonly redisUrl?: string;
      readonly agents?: readonly string[];
      readonly flags?: readonly string[];
    },
  ): Promise<Fleet> {
    const base = ['--agents', agents.join(','), '--k', String(K), '--mode', 'raw', '--log-level', 'warn'];
    const fleet = new Fleet({ command, redisUrl, flags: [...base, '--redis-recheck-ms', '300', ...flags] });
    await Promise.all(Array.from({ length: count }, () => fleet.add()));
    return fleet;
  }

  urls(): readonly string[] {
    return this.replicas.map(({ url }) => url);
  }

  /** What /readyz of each replica answers now. */
  readiness(): Promise<number[]> {
    return Promise.all(this.urls().map(async (url) => (await fetch(`${url}/readyz`)).status));
  }

  async add(clockAheadMs = 0): Promise<Replica> {
    const replica = await Replica.start({ ...this.#options, clockAheadMs });
    this.replicas.push(replica);
    return replica;
  }

  /** Takes a replica out of what trainers see, as its end does. */
  lose(replica: Replica): void {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
  }

  /** Sends samples, spread over the replicas; each resolves with its rewards. */
  trainAll(samples: readonly Sample[]): Promise<Result[]> {
    return Promise.all(samples.map((sample, at) => train(this, sample, at)));
  }

  /** Sends a sample to the replica at this place, and to it alone. */
  trainAt(place: number, sample: Sample): Promise<Result> {
    return train({ urls: () => this.urls().slice(place, place + 1) }, sample);
  }

  /** Resolves once so many requests are held at the barrier of these replicas. */
  async untilHeld(count: number): Promise<void> {
    for (let held = 0; held < count; ) {
      await sleep(50);
      const pages = await Promise.all(
        this.urls().map(async (url) => (await fetch(`${url}/metrics`)).text().catch(() => '')),
      );
      held = pages
        .flatMap((page) => page.split('\n').filter((line) => line.startsWith('peervote_held_requests{')))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    }
  }
}

/** Every sample was paid exactly what the answers alone say, each rollout once. */
export function expectPaidAsOffline(
  samples: readonly Sample[],
  results: readonly Result[],
  agents: readonly string[] = AGENTS,
): void {
  const paid = payOffline(samples, agents);
  expect(results).toHaveLength(samples.length);
  samples.forEach(({ agent, promptId }, at) => {
    const { status, label, rewards } = results[at] ?? { status: null, label: null, rewards: [] };
    expect({ agent, promptId, status, label, rewards }).toEqual({
      agent,
      promptId,
      ...paid.get(`${agent}/${promptId}`),
    });
  });
}
