import type { Bucket } from '../domain/bucket.ts';
import type { Clock } from '../domain/clock.ts';
import type { Cohort } from '../domain/cohort.ts';
import type { AgentActivity, Store } from '../store/store.ts';
import type { Barrier } from './barrier.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { findTroubles, type Trouble } from './find-troubles.ts';
import { observeDecision } from './observe.ts';
import { isUnavailable } from './owed-releases.ts';
import type { Planner } from './planner.ts';
import type { Logger, Telemetry } from './telemetry.ts';
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
/** Prompts of each agent that a diagnosis looks at. */
const LATEST_PROMPTS = 32;

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

/** What happens without a request: groups that are due get decided, and standstills get named. */
export class Caretaker {
  readonly #parts: CaretakerParts;
  readonly #troubles = new Map<string, readonly Trouble[]>();
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
      observeDecision(cohort, decision, this.#parts);
      await planner.learn(cohort, [decision]);
    }
  }

  /** Looks at every cohort; a trouble is logged when it is new. */
  async watch(): Promise<void> {
    const cohorts = await this.#parts.store.listCohorts();
    for (const name of this.#troubles.keys()) {
      if (cohorts.some((cohort) => cohort.name === name)) continue;
      this.#troubles.delete(name);
      this.#awaited.delete(name);
    }
    for (const cohort of cohorts) {
      const known = this.troubles(cohort.name);
      const found = await this.#diagnose(cohort);
      this.#troubles.set(cohort.name, found);
      for (const { code, agents, message } of found) {
        if (known.some((trouble) => trouble.code === code && trouble.agents.join() === agents.join()))
          continue;
        this.#parts.logger.warn({ cohort: cohort.name, code, agents }, message);
      }
    }
  }

  /** What was wrong with a cohort at the last look. */
  troubles(cohort: string): readonly Trouble[] {
    return this.#troubles.get(cohort) ?? [];
  }

  /** Agents that others waited for at the last look. */
  awaited(cohort: string): readonly Awaited[] {
    return this.#awaited.get(cohort) ?? [];
  }

  async #diagnose(cohort: Cohort): Promise<Trouble[]> {
    const { store, barrier, clock } = this.#parts;
    const [activity, buckets] = await Promise.all([
      store.readActivity(cohort),
      store.listOpenBuckets(cohort.name, WATCHED_BUCKETS),
    ]);
    const waits = findWaits(cohort, buckets);
    this.#awaited.set(cohort.name, findAwaited(waits));
    const now = clock.now();
    const oldest = oldestOpening(buckets);
    if (now - oldest < Math.min(cohort.watchdog.stalledAfterMs, cohort.watchdog.silentAfterMs)) return [];
    const parked = new Set(barrier.list(cohort.name).map(({ agent }) => agent));
    const latest = await this.#readLatest(cohort.name, activity);
    return findTroubles({ cohort, now, activity, buckets, waits, latest, parked });
  }

  async #readLatest(cohort: string, activity: readonly AgentActivity[]) {
    const entries = activity.map(async ({ agent, recentPrompts }) => {
      const promptIds = new Set(recentPrompts.slice(-LATEST_PROMPTS).map(({ promptId }) => promptId));
      const rounds = [...promptIds].map((promptId) => this.#parts.store.readPrompt(cohort, promptId));
      return [agent, (await Promise.all(rounds)).flat()] as const;
    });
    return new Map(await Promise.all(entries));
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
          if (isUnavailable(error)) return;
          this.#parts.logger.error({ err: error }, 'A periodic task failed.');
        })
        .finally(() => {
          if (!this.#stopped) schedule();
        });
    };
    schedule();
  }
}
