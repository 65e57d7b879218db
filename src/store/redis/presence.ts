import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, callScript, runOne } from './call.ts';
import type { Keys } from './keys.ts';

/** A replica that is away so long, while Redis is there, is gone: one that lives listens again within less. */
const AWAY_MS = 300;
/** After a Redis came back, its replicas come back one by one. */
const SETTLED_MS = 3_000;
/** How long a submission waits at most until it can be told who is gone. */
const PATIENCE_MS = 10_000;

/**
 * Which replicas live: each listens to a channel of its own, and Redis knows at once when the connection of a process
 * that was killed is closed.
 */
export class Presence {
  readonly #caller: Caller;
  readonly #keys: Keys;
  readonly #origin: string;
  /** When this replica last began to listen, in milliseconds of `performance.now`; null before it ever did. */
  #listeningSince: number | null = null;

  /** `origin` names this replica. */
  constructor(caller: Caller, keys: Keys, origin: string) {
    this.#caller = caller;
    this.#keys = keys;
    this.#origin = origin;
  }

  listens(): void {
    this.#listeningSince = performance.now();
  }

  /**
   * Those of these replicas that are surely gone. Where some are away, it waits until it can be told: at once a moment,
   * some seconds after Redis or this replica was started. None if it cannot be told for long.
   */
  async findGone(origins: readonly string[]): Promise<ReadonlySet<string>> {
    if (origins.length === 0) return new Set();
    let { away } = await this.#look(origins);
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (away.length > 0 && performance.now() < giveUpAt) {
      const since = this.#listeningSince;
      const listeningMs = since === null ? 0 : performance.now() - since;
      await sleep(Math.max(AWAY_MS, SETTLED_MS - listeningMs));
      const next = await this.#look(away);
      away = next.away;
      // Redis may have been restarted meanwhile: then everyone is away for a moment, this replica too.
      if (next.isHeard && since !== null && this.#listeningSince === since) return new Set(away);
    }
    return new Set();
  }

  /** Those of these replicas that do not listen just now, and whether this one does. */
  async #look(
    origins: readonly string[],
  ): Promise<{ readonly away: readonly string[]; readonly isHeard: boolean }> {
    const list = this.#caller.publish === 'SPUBLISH' ? 'SHARDCHANNELS' : 'CHANNELS';
    const reply = await runOne(this.#caller, callScript('replicasList', [this.#keys.replicaPattern], [list]));
    const present = new Set(reply as string[]);
    const isPresent = (origin: string) => present.has(this.#keys.replica(origin));
    return { away: origins.filter((origin) => !isPresent(origin)), isHeard: isPresent(this.#origin) };
  }
}

const SEPARATOR = '.';

/** The name of a connection that says which replica it belongs to. */
export function nameHolder(origin: string, connection: string): string {
  return `${origin}${SEPARATOR}${connection}`;
}

/** The replica that a holder belongs to; null if it does not say, as when it was answered. */
export function originOf(holder: string): string | null {
  const at = holder.indexOf(SEPARATOR);
  return at < 0 ? null : holder.slice(0, at);
}
