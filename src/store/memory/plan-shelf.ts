import type { LabelRow, PlanRecord } from '../../domain/plan.ts';
import type { Plans } from '../plans.ts';

/** The plan of one cohort and the rows that the next is made from. */
class PlanShelf {
  #plan: PlanRecord | null = null;
  /** By bucket, oldest first. */
  readonly #rows = new Map<string, LabelRow>();
  #noted = 0;

  get plan(): PlanRecord | null {
    return this.#plan;
  }

  get rows(): readonly LabelRow[] {
    return [...this.#rows.values()];
  }

  swap(expected: number, plan: PlanRecord): boolean {
    if ((this.#plan?.version ?? 0) !== expected) return false;
    this.#plan = plan;
    return true;
  }

  note(row: LabelRow, most: number): number {
    const bucket = JSON.stringify([row.promptId, row.round]);
    if (!this.#rows.has(bucket)) {
      this.#rows.set(bucket, row);
      this.#noted++;
    }
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= most) break;
      this.#rows.delete(oldest);
    }
    return this.#noted;
  }
}

/** The shelves of all cohorts. `find` gives what stands for a cohort while it exists. */
export class MemoryPlans implements Plans {
  readonly #find: (cohort: string) => object | undefined;
  /** A cohort that is deleted takes its shelf along. */
  readonly #shelves = new WeakMap<object, PlanShelf>();

  constructor(find: (cohort: string) => object | undefined) {
    this.#find = find;
  }

  async read(cohort: string): Promise<PlanRecord | null> {
    return this.#shelfOf(cohort)?.plan ?? null;
  }

  async swap(cohort: string, expected: number, plan: PlanRecord): Promise<boolean> {
    return this.#shelfOf(cohort)?.swap(expected, plan) ?? false;
  }

  async note(cohort: string, row: LabelRow, most: number): Promise<number> {
    return this.#shelfOf(cohort)?.note(row, most) ?? 0;
  }

  async rows(cohort: string): Promise<readonly LabelRow[]> {
    return this.#shelfOf(cohort)?.rows ?? [];
  }

  #shelfOf(cohort: string): PlanShelf | undefined {
    const holding = this.#find(cohort);
    if (holding === undefined) return undefined;
    const known = this.#shelves.get(holding);
    if (known !== undefined) return known;
    const shelf = new PlanShelf();
    this.#shelves.set(holding, shelf);
    return shelf;
  }
}
