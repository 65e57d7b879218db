import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import type { Fleet } from './fleet.ts';

export interface OutagesOptions {
  readonly fleet: Fleet;
  /** Replicas to kill, one after the other. */
  readonly kills: number;
  /** Kill Redis too, once. */
  readonly redis: boolean;
  readonly seed: number;
  readonly say: (text: string) => void;
}

interface Outage {
  /** It comes once this share of the rollouts is rewarded. */
  readonly from: number;
  /** Place of the replica; null: Redis. */
  readonly victim: number | null;
  readonly awayMs: number;
}

/** The last outage is due by then, so that the run does not end before it: a replica takes seconds to start. */
const LAST_FROM = 0.5;
const LONGEST_AWAY_MS = 3000;

/** Kills replicas, and Redis, in the middle of a run and brings them back: at moments and for times that a seed draws. */
export class Outages {
  readonly #options: OutagesOptions;
  readonly #planned: Outage[];
  #current: Promise<void> | null = null;

  constructor(options: OutagesOptions) {
    this.#options = options;
    const random = new Random(options.seed + 77);
    const { kills, redis, fleet } = options;
    const victims = random.shuffle([
      ...Array.from({ length: kills }, () => Math.floor(random.next() * fleet.size)),
      ...(redis ? [null] : []),
    ]);
    this.#planned = victims.map((victim, at) => ({
      from: ((at + random.next()) / victims.length) * LAST_FROM,
      victim,
      awayMs: random.next() * LONGEST_AWAY_MS,
    }));
  }

  /** Outages that have not begun. */
  get left(): number {
    return this.#planned.length;
  }

  /** Tells how far the run is; begins what is due, one at a time. */
  progressed(share: number): void {
    const [next] = this.#planned;
    if (next === undefined || this.#current !== null || share < next.from) return;
    this.#planned.shift();
    this.#current = this.#carryOut(next).finally(() => {
      this.#current = null;
    });
  }

  /** Resolves once everything that was killed is back. */
  async over(): Promise<void> {
    await this.#current;
  }

  async #carryOut({ victim, awayMs, from }: Outage): Promise<void> {
    const { fleet, say } = this.#options;
    const name = victim === null ? 'Redis' : `replica ${victim}`;
    say(`Killed ${name} after ${Math.round(from * 100)} % of the rewards, for ${Math.round(awayMs)} ms.`);
    await (victim === null ? fleet.killRedis() : fleet.kill(victim));
    await delay(awayMs);
    await (victim === null ? fleet.restoreRedis() : fleet.restore(victim));
  }
}
