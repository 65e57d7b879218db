/** How many requests of each agent are held here: for clients whose pool of connections a full house would block. */
export class HeldByAgent {
  readonly #most: number;
  readonly #held = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place for one request, to be given back by calling what is returned; null when all are taken. */
  enter(cohort: string, agent: string): (() => void) | null {
    const key = JSON.stringify([cohort, agent]);
    const held = this.#held.get(key) ?? 0;
    if (held >= this.#most) return null;
    this.#held.set(key, held + 1);
    return () => {
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
