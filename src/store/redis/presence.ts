import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, callScript, runOne } from './call.ts';
import type { Keys } from './keys.ts';

/** A replica that is away so long, while Redis is there, is gone: one that lives listens again within less. */
const AWAY_MS = 300;
/** After a Redis came back, its replicas come back one by one. */
const SETTLED_MS = 3_000;

/**
 * Which replicas live: each listens to a channel of its own, and Redis knows at once when the connection of a process
 * that was killed is closed.
 */
export class Presence {
  readonly #caller: Caller;
  readonly #keys: Keys;
  /** When this replica last began to listen, in milliseconds of `performance.now`; null while it does not. */
  #listeningSince: number | null = null;

  constructor(caller: Caller, keys: Keys) {
    this.#caller = caller;
    this.#keys = keys;
  }

  listens(): void {
    this.#listeningSince = performance.now();
  }

  /** Those of these replicas that are surely gone. None while it cannot be told. */
  async findGone(origins: readonly string[]): Promise<ReadonlySet<string>> {
    const since = this.#listeningSince;
    if (origins.length === 0 || since === null || performance.now() - since < SETTLED_MS) return new Set();
    const away = await this.#away(origins);
    if (away.length === 0) return new Set();
    await sleep(AWAY_MS);
    // Redis may have been restarted meanwhile: then everyone is away for a moment.
    return this.#listeningSince === since ? new Set(await this.#away(away)) : new Set();
  }

  async #away(origins: readonly string[]): Promise<string[]> {
    const list = this.#caller.publish === 'SPUBLISH' ? 'SHARDCHANNELS' : 'CHANNELS';
    const reply = await runOne(this.#caller, callScript('replicasList', [this.#keys.replicaPattern], [list]));
    const present = new Set(reply as string[]);
    return origins.filter((origin) => !present.has(this.#keys.replica(origin)));
  }
}

const SEPARATOR = '.';

/** The name of a connection that says which replica it belongs to. */
export function nameHolder(origin: string, connection: string): string {
  return `${origin}${SEPARATOR}${connection}`;
}

/** The replica that a holder belongs to; null if it does not say. */
export function originOf(holder: string): string | null {
  const at = holder.indexOf(SEPARATOR);
  return at < 0 ? null : holder.slice(0, at);
}
