import { type Bucket, isDecided } from '../domain/bucket.ts';
import type { Decision } from '../domain/close.ts';
import type { Cohort } from '../domain/cohort.ts';
import type { LabelRow, Plan } from '../domain/plan.ts';
import { voteOf } from '../methods/ballots.ts';
import { estimateReliability } from '../methods/reliability.ts';
import type { Store } from '../store/store.ts';
import { isUnavailable } from './owed-releases.ts';

/**
 * Learns from decided buckets how reliable the agents of a cohort are, for cohorts whose votes go by it. Each row is
 * noted and each plan made by one replica; should it die in between, the next one does it a little later.
 */
export class Planner {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The plan that buckets are opened under now; null where the cohort needs none, or has none yet. */
  async current(cohort: Cohort): Promise<Plan | null> {
    return needsPlan(cohort) ? this.#store.plans.read(cohort.name) : null;
  }

  /** Takes what was just decided into account. What the store is away for is left out. */
  async learn(cohort: Cohort, decisions: readonly Decision[]): Promise<void> {
    if (!needsPlan(cohort)) return;
    try {
      for (const { bucket, decided } of decisions) {
        const row = decided.length === 0 ? null : toRow(cohort, bucket);
        if (row !== null) await this.#note(cohort, row);
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  async #note(cohort: Cohort, row: LabelRow): Promise<void> {
    const { plans } = this.#store;
    const { every, window } = cohort.reliability;
    const noted = await plans.note(cohort.name, row, window);
    const plan = await plans.read(cohort.name);
    if (noted - (plan?.rows ?? 0) < every) return;
    const names = cohort.agents.map(({ name }) => name);
    const version = plan?.version ?? 0;
    await plans.swap(cohort.name, version, {
      version: version + 1,
      rows: noted,
      reliability: estimateReliability(await plans.rows(cohort.name), names, cohort.reliability),
    });
  }
}

function needsPlan({ weighting }: Cohort): boolean {
  return weighting === 'dawid-skene';
}

/** Null until all agents are decided, and where fewer than two have a label: nobody agrees or disagrees there. */
function toRow(cohort: Cohort, bucket: Bucket): LabelRow | null {
  const keys: string[] = [];
  const sides: [string, number][] = [];
  for (const { name } of cohort.agents) {
    const group = bucket.groups.get(name);
    if (!isDecided(group)) return null;
    const key = voteOf(group, cohort, bucket).label?.key;
    if (key === undefined) continue;
    if (!keys.includes(key)) keys.push(key);
    sides.push([name, keys.indexOf(key)]);
  }
  const { promptId, round } = bucket;
  return sides.length < 2 ? null : { promptId, round, sides: Object.fromEntries(sides) };
}
