/** As long as Redis keeps the mark of a deletion. */
export const TOMBSTONE_MS = 86_400_000;
/** Beyond so many the oldest are forgotten. */
const MOST = 10_000;

/**
 * The deletions that this process knows of. Redis has a mark for each; one that lost everything lost those too, and a
 * replica that was away meanwhile puts the cohort back.
 */
export class DeletedCohorts {
  /** Until when, by generation, the oldest first. */
  readonly #until = new Map<string, number>();

  add(generation: string): void {
    this.#until.delete(generation);
    this.#until.set(generation, performance.now() + TOMBSTONE_MS);
    for (const [oldest, until] of this.#until) {
      if (this.#until.size <= MOST && until > performance.now()) return;
      this.#until.delete(oldest);
    }
  }

  has(generation: string): boolean {
    return (this.#until.get(generation) ?? 0) > performance.now();
  }
}
