import type { Bucket } from '../domain/bucket.ts';
import type { Clock } from '../domain/clock.ts';
import type { Cohort } from '../domain/cohort.ts';
import { isUnreadable } from '../domain/errors.ts';
import { type EarlyEnd, findEarlyEnds } from '../domain/verdict/early-ends.ts';
import { findFindings } from '../domain/verdict/find-findings.ts';
import type { Finding } from '../domain/verdict/finding.ts';
import type { Store } from '../store/store.ts';
import type { Barrier } from './barrier.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { getOrAdd } from './get-or-add.ts';
import { observeDecision } from './observe.ts';
import type { Planner } from './planner.ts';
import { type Course, readCourse } from './read-course.ts';
import { isStoreTrouble, isUnavailable } from './store-troubles.ts';
import type { Logger, Telemetry } from './telemetry.ts';
import { VerdictLog } from './verdict-log.ts';
import { type Awaited, findAwaited, findWaits } from './waits.ts';

export interface CaretakerParts {
  readonly store: Store;
  readonly barrier: Barrier;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly diagnostics: DiagnosticsLog;
  readonly logger: Logger;
  readonly planner: Planner;
}

/** How late a deadline may be noticed. */
const DUE_EVERY_MS = 200;
const WATCH_EVERY_MS = 5_000;
/** Open buckets that a diagnosis looks at. */
const WATCHED_BUCKETS = 5_000;
/** Figures change slowly, and take reading. */
const COURSE_EVERY_MS = 10_000;

/** When the first of the open groups was opened; infinite where none is. */
function oldestOpening(buckets: readonly Bucket[]): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { groups } of buckets) {
    for (const { state, openedAt } of groups.values()) {
      if (state === 'open') oldest = Math.min(oldest, openedAt);
    }
  }
  return oldest;
}

/** What happens without a request: groups that are due get decided, and what is wrong gets named. */
export class Caretaker {
  readonly #parts: CaretakerParts;
  readonly #verdicts = new Map<string, VerdictLog>();
  readonly #courses = new Map<string, { readonly readAt: number; readonly course: Course }>();
  readonly #awaited = new Map<string, readonly Awaited[]>();
  /** Cancels the next run of each periodic task. */
  readonly #stops: (() => void)[] = [];
  #stopped = false;

  constructor(parts: CaretakerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#repeat(DUE_EVERY_MS, () => this.closeDue());
    this.#repeat(WATCH_EVERY_MS, () => this.watch());
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
  }

  /** Decides the groups whose grace or deadline is over. */
  async closeDue(): Promise<void> {
    const { store, planner } = this.#parts;
    for (const { cohort: name, ...decision } of await store.closeDue()) {
      const cohort = await store.getCohort(name);
      if (cohort === null) continue;
      observeDecision(decision, this.#parts);
      await planner.learn(cohort, [decision]);
    }
  }

  /** Looks at every cohort, and takes down what is wrong with it. */
  async watch(): Promise<void> {
    const { store, clock, logger } = this.#parts;
    const cohorts = await store.listCohorts();
    const names = new Set(cohorts.map(({ name }) => name));
    for (const known of [this.#verdicts, this.#courses, this.#awaited]) {
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    }
    for (const cohort of cohorts) {
      const findings = await this.#judge(cohort).catch(this.#unlessBroken(cohort.name));
      const verdict = getOrAdd(this.#verdicts, cohort.name, () => new VerdictLog(cohort.name, logger));
      verdict.take(findings, clock.now());
    }
  }

  /** What was wrong with a cohort at the last look, the most severe first. */
  findings(cohort: string): readonly Finding[] {
    return this.#verdicts.get(cohort)?.findings ?? [];
  }

  /** Agents that others waited for at the last look. */
  awaited(cohort: string): readonly Awaited[] {
    return this.#awaited.get(cohort) ?? [];
  }

  /** What cannot be looked at in one cohort must not keep the others from being looked at. */
  #unlessBroken(cohort: string): (error: unknown) => readonly Finding[] {
    return (error) => {
      if (isUnavailable(error)) throw error;
      if (!isUnreadable(error))
        this.#parts.logger.error({ err: error, cohort }, 'A cohort could not be looked at.');
      return this.findings(cohort);
    };
  }

  async #judge(cohort: Cohort): Promise<readonly Finding[]> {
    const { store, clock } = this.#parts;
    const [activity, buckets] = await Promise.all([
      store.readActivity(cohort),
      store.listOpenBuckets(cohort.name, WATCHED_BUCKETS),
    ]);
    const waits = findWaits(cohort, buckets);
    this.#awaited.set(cohort.name, findAwaited(waits));
    const now = clock.now();
    const { stalledAfterMs, silentAfterMs } = cohort.watchdog;
    const isStalled = now - oldestOpening(buckets) >= Math.min(stalledAfterMs, silentAfterMs);
    const course = activity.every(({ rollouts }) => rollouts === 0) ? null : await this.#course(cohort, now);
    const gathered = { cohort, now, activity, waits, isStalled, course };
    const evidence = await gatherEvidence(gathered, this.#parts);
    const findings = findFindings(evidence);
    for (const end of findEarlyEnds(evidence, findings)) await this.#endShort(cohort, end);
    return findings;
  }

  /** Decides groups that can never fill: nobody has to wait for their deadline. */
  async #endShort(cohort: Cohort, { agent, size, groups }: EarlyEnd): Promise<void> {
    const decisions = await this.#parts.store.endShort(cohort, agent, groups, size);
    for (const decision of decisions) observeDecision(decision, this.#parts);
    await this.#parts.planner.learn(cohort, decisions);
  }

  async #course(cohort: Cohort, now: number): Promise<Course> {
    const known = this.#courses.get(cohort.name);
    if (known !== undefined && now - known.readAt < COURSE_EVERY_MS) return known.course;
    // What this replica has not written yet is part of the picture.
    await this.#parts.diagnostics.flush();
    const course = await readCourse(this.#parts.store, cohort);
    this.#courses.set(cohort.name, { readAt: now, course });
    return course;
  }

  #repeat(everyMs: number, task: () => Promise<void>): void {
    const slot = this.#stops.length;
    const schedule = () => {
      this.#stops[slot] = this.#parts.clock.setTimer(everyMs, run);
    };
    const run = () => {
      task()
        // That the store is away is said once by whoever connects to it.
        .catch((error: unknown) => {
          if (isStoreTrouble(error)) return;
          this.#parts.logger.error({ err: error }, 'A periodic task failed.');
        })
        .finally(() => {
          if (!this.#stopped) schedule();
        });
    };
    schedule();
  }
}
