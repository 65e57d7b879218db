/** How long a place is not told of again. */
const QUIET_MS = 600_000;
const MOST = 1_000;

/** Places in Redis that cannot be read, so that each is told of once in a while and not with every request. */
export class Unreadables {
  readonly #toldAt = new Map<string, number>();

  /** Whether to tell of it now. */
  isNews(place: string): boolean {
    const at = this.#toldAt.get(place);
    const now = performance.now();
    if (at !== undefined && now - at < QUIET_MS) return false;
    this.#toldAt.delete(place);
    this.#toldAt.set(place, now);
    const [oldest] = this.#toldAt.keys();
    if (this.#toldAt.size > MOST && oldest !== undefined) this.#toldAt.delete(oldest);
    return true;
  }
}
