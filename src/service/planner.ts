import { type Bucket, isDecided } from '../domain/bucket.ts';
import type { Clock } from '../domain/clock.ts';
import type { Decision } from '../domain/close.ts';
import type { Cohort } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import { hashKey } from '../domain/hash.ts';
import {
  FEWEST_AGENTS,
  type LabelRow,
  type Plan,
  type PlanRecord,
  type TeacherOrder,
  toPlan,
} from '../domain/plan.ts';
import { voteOf } from '../methods/ballots.ts';
import { isTrue } from '../methods/ground-truth.ts';
import { emptyPlan, nextPlan, orderedPlan, presentChoices, releasedPlan } from '../methods/next-plan.ts';
import type { Store } from '../store/store.ts';
import { checkOrder, notAdaptive } from './check-order.ts';
import { isStoreTrouble } from './store-troubles.ts';
import type { Logger, Telemetry } from './telemetry.ts';

export interface PlannerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** How often a person's change is tried again when another plan came in between. */
const TRIES = 5;

/**
 * Learns from decided buckets how reliable the agents of a cohort are, for cohorts whose votes or teachers go by it. Each
 * row is noted and each plan made by one replica; should it die in between, the next one does it a little later.
 */
export class Planner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** The plan that buckets are opened under now; null where the cohort needs none, or has none yet. */
  async current(cohort: Cohort): Promise<Plan | null> {
    if (!needsPlan(cohort)) return null;
    const record = await this.#parts.store.plans.read(cohort.name);
    return record === null ? null : toPlan(record);
  }

  /** The latest plan with its choices; what goes before the first where teachers are chosen, else null. */
  async shown(cohort: Cohort): Promise<PlanRecord | null> {
    const record = await this.#parts.store.plans.read(cohort.name);
    if (!isAdaptive(cohort)) return record;
    return { ...(record ?? emptyPlan(cohort)), choices: presentChoices(cohort, record) };
  }

  /** Takes what was just decided into account. What the store is away for, or cannot read, is left out. */
  async learn(cohort: Cohort, decisions: readonly Decision[]): Promise<void> {
    if (!needsPlan(cohort)) return;
    try {
      for (const { bucket, decided } of decisions) {
        const row = decided.length === 0 ? null : toRow(cohort, bucket);
        if (row !== null) await this.#note(cohort, row);
      }
    } catch (error) {
      if (!isStoreTrouble(error)) throw error;
    }
  }

  /**
   * Sets teachers by hand, from the next bucket on. Throws `not_adaptive`, `invalid_request` with every problem, and
   * `plan_busy` where others change the plan all the time.
   */
  async order(cohort: Cohort, order: TeacherOrder): Promise<PlanRecord> {
    if (!isAdaptive(cohort)) throw notAdaptive(cohort);
    checkOrder(cohort, order);
    return this.#replace(cohort, async (previous, at) => orderedPlan(cohort, previous, order, at));
  }

  /** Chooses by the latest labels again, whatever was set or frozen. Throws as {@link order}. */
  async release(cohort: Cohort): Promise<PlanRecord> {
    if (!isAdaptive(cohort)) throw notAdaptive(cohort);
    return this.#replace(cohort, async (previous, at) => {
      const rows = await this.#parts.store.plans.rows(cohort.name);
      const released = previous === null ? null : releasedPlan(previous);
      return nextPlan(cohort, { previous: released, rows, noted: previous?.rows ?? 0, at });
    });
  }

  async #note(cohort: Cohort, row: LabelRow): Promise<void> {
    const { store, clock } = this.#parts;
    const { every, window } = cohort.reliability;
    const noted = await store.plans.note(cohort.name, row, window);
    const previous = await store.plans.read(cohort.name);
    if (noted - (previous?.rows ?? 0) < every) return;
    const rows = await store.plans.rows(cohort.name);
    await this.#swap(cohort, previous, nextPlan(cohort, { previous, rows, noted, at: clock.now() }));
  }

  async #replace(
    cohort: Cohort,
    make: (previous: PlanRecord | null, at: number) => Promise<PlanRecord>,
  ): Promise<PlanRecord> {
    const { store, clock } = this.#parts;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const previous = await store.plans.read(cohort.name);
      const made = await make(previous, clock.now());
      if (await this.#swap(cohort, previous, made)) return made;
    }
    throw new ServiceError(
      'plan_busy',
      `The plan of cohort "${cohort.name}" changed ${TRIES} times while this request was about to change it. Send it again.`,
    );
  }

  /** Puts the plan in place unless another one came first, and tells what it changes: whoever puts it there says so. */
  async #swap(cohort: Cohort, previous: PlanRecord | null, made: PlanRecord): Promise<boolean> {
    const { store, telemetry, logger } = this.#parts;
    if (!(await store.plans.swap(cohort.name, previous?.version ?? 0, made))) return false;
    const { version, rows, frozen, choices } = made;
    for (const choice of choices) {
      const message = `${choice.agent} learns from ${choice.teacher} (${choice.why}).`;
      logger.info({ cohort: cohort.name, version, rows, frozen, ...choice }, message);
    }
    for (const { agent } of made.changes.filter((change) => change.version === version)) {
      telemetry.teacherChanged({ cohort: cohort.name, agent });
    }
    return true;
  }
}

function needsPlan(cohort: Cohort): boolean {
  if (cohort.agents.length < FEWEST_AGENTS) return false;
  return cohort.weighting === 'dawid-skene' || isAdaptive(cohort) || cohort.reliability.minPosterior > 0;
}

function isAdaptive({ supervision }: Cohort): boolean {
  return supervision.kind === 'adaptive';
}

/** Null until all agents are decided, and where fewer than two have a label: nobody agrees or disagrees there. */
function toRow(cohort: Cohort, bucket: Bucket): LabelRow | null {
  const keys: string[] = [];
  const sides: [string, number][] = [];
  const labels: [string, string][] = [];
  for (const { name } of cohort.agents) {
    const group = bucket.groups.get(name);
    if (!isDecided(group)) return null;
    const { label } = voteOf(group, bucket.settings, bucket);
    if (label === null) continue;
    if (!keys.includes(label.key)) keys.push(label.key);
    sides.push([name, keys.indexOf(label.key)]);
    labels.push([name, label.answer]);
  }
  const { promptId, round, truth } = bucket;
  if (sides.length < 2) return null;
  const row = { promptId, round, sides: Object.fromEntries(sides) };
  if (
    truth === null ||
    truth.mode === 'code' ||
    truth.disputedBy !== undefined ||
    !isAnchor(cohort, promptId)
  )
    return row;
  return { ...row, right: labels.flatMap(([name, label]) => (isTrue(label, truth) ? [name] : [])) };
}

/** Whether the truth of a prompt may say who is reliable: the same on every replica, and in every round. */
function isAnchor({ reliability: { truthShare } }: Cohort, promptId: string): boolean {
  return truthShare > 0 && hashKey(`anchor\u0000${promptId}`) < truthShare * 2 ** 32;
}
