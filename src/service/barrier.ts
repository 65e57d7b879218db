import type { Clock } from '../domain/clock.ts';
import type { AgentName } from '../domain/cohort.ts';
import type { Store } from '../store/store.ts';
import { Attendance } from './attendance.ts';
import { getOrAdd } from './get-or-add.ts';

/** Why a parked request woke up. */
export type WakeUp =
  /** Something it waits for may have changed; {@link Waiter.takeDirty} says what. */
  | 'changed'
  | 'timeout'
  | 'aborted'
  | 'draining'
  /** A newer incarnation of the agent speaks now. */
  | 'superseded'
  | 'deleted';

/** Who is parked: for the bounds and the watchdog. */
export interface Parked {
  readonly agent: AgentName;
  readonly incarnation: string | null;
  readonly since: number;
}

export interface ParkOptions extends Parked {
  readonly cohort: string;
  readonly promptIds: ReadonlySet<string>;
  readonly waitMs: number;
  readonly signal: AbortSignal | null;
}

/**
 * The requests of this replica that wait for a decision. Notices only wake them: they look for
 * themselves. Register first and read then, so that no decision falls between.
 */
export class Barrier {
  /** Who has been here, parked or not. */
  readonly attendance = new Attendance();
  readonly #clock: Clock;
  readonly #cohorts = new Map<string, Map<string, Set<Waiter>>>();
  readonly #parked = new Map<string, Set<Waiter>>();
  readonly #unsubscribe: () => void;
  readonly #recheckMs: number | null;
  #stopRecheck: () => void = () => undefined;
  #draining = false;

  /** `recheckMs`: how often the parked look again by themselves, where notices may be lost. */
  constructor(store: Store, clock: Clock, recheckMs: number | null = null) {
    this.#clock = clock;
    this.#recheckMs = recheckMs;
    this.#scheduleRecheck();
    this.#unsubscribe = store.subscribe((notice) => {
      switch (notice.kind) {
        case 'decided':
          for (const waiter of this.#cohorts.get(notice.cohort)?.get(notice.ref.promptId) ?? []) {
            waiter.wake('changed', notice.ref.promptId);
          }
          break;
        case 'deleted':
          this.#wake(this.#parked.get(notice.cohort), 'deleted');
          this.attendance.forget(notice.cohort);
          break;
        case 'restarted':
          this.#supersede(notice.cohort, notice.agent, notice.incarnation);
          break;
        case 'gap':
          this.#wakeAll('changed');
          break;
      }
    });
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Whether what a waiter relies on may get lost, so that it has to look again and be able to repeat itself. */
  get rechecks(): boolean {
    return this.#recheckMs !== null;
  }

  /** Registers a request. It is parked, and counted as held, until its `close`. */
  park(options: ParkOptions): Waiter {
    const waiter = new Waiter(options, this.#clock, () => this.#remove(options, waiter));
    const prompts = getOrAdd(this.#cohorts, options.cohort, () => new Map<string, Set<Waiter>>());
    for (const promptId of options.promptIds) getOrAdd(prompts, promptId, () => new Set()).add(waiter);
    getOrAdd(this.#parked, options.cohort, () => new Set()).add(waiter);
    if (this.#draining) waiter.wake('draining');
    return waiter;
  }

  held(cohort: string): number {
    return this.#parked.get(cohort)?.size ?? 0;
  }

  /** The parked requests of a cohort on this replica. */
  list(cohort: string): readonly Parked[] {
    return [...(this.#parked.get(cohort) ?? [])].map((waiter) => waiter.parked);
  }

  /** Sends everyone away: the process ends. What was recorded stays recorded. */
  drain(): void {
    this.#draining = true;
    this.#unsubscribe();
    this.#stopRecheck();
    this.#wakeAll('draining');
  }

  /** All at once, so that the store reads what many wait for only once; with jitter, so that replicas take turns. */
  #scheduleRecheck(): void {
    if (this.#recheckMs === null) return;
    const delay = this.#recheckMs * (0.75 + Math.random() / 2);
    this.#stopRecheck = this.#clock.setTimer(delay, () => {
      this.#wakeAll('changed');
      this.#scheduleRecheck();
    });
  }

  #wakeAll(reason: WakeUp): void {
    for (const waiters of this.#parked.values()) this.#wake(waiters, reason);
  }

  #wake(waiters: ReadonlySet<Waiter> | undefined, reason: WakeUp): void {
    for (const waiter of waiters ?? []) waiter.wake(reason);
  }

  #supersede(cohort: string, agent: AgentName, incarnation: string): void {
    for (const waiter of this.#parked.get(cohort) ?? []) {
      const { parked } = waiter;
      const older = parked.incarnation !== null && parked.incarnation !== incarnation;
      if (parked.agent === agent && older) waiter.wake('superseded');
    }
  }

  #remove({ cohort, promptIds }: ParkOptions, waiter: Waiter): void {
    const prompts = this.#cohorts.get(cohort);
    for (const promptId of promptIds) {
      const waiters = prompts?.get(promptId);
      waiters?.delete(waiter);
      if (waiters?.size === 0) prompts?.delete(promptId);
    }
    if (prompts?.size === 0) this.#cohorts.delete(cohort);
    const parked = this.#parked.get(cohort);
    parked?.delete(waiter);
    if (parked?.size === 0) this.#parked.delete(cohort);
  }
}

/** One parked request. A wake-up while nobody listens is kept; the final ones win over `changed`. */
class Waiter {
  readonly parked: Parked;
  readonly #remove: () => void;
  readonly #stopTimer: () => void;
  readonly #signal: AbortSignal | null;
  readonly #onAbort: () => void;
  #pending: WakeUp | null = null;
  /** Prompts that may have changed; null: any. */
  #dirty: Set<string> | null = new Set();
  #resolve: ((reason: WakeUp) => void) | null = null;

  constructor({ agent, incarnation, since, waitMs, signal }: ParkOptions, clock: Clock, remove: () => void) {
    this.parked = { agent, incarnation, since };
    this.#remove = remove;
    this.#signal = signal;
    this.#onAbort = () => this.wake('aborted');
    this.#stopTimer = clock.setTimer(waitMs, () => this.wake('timeout'));
    if (signal?.aborted) this.wake('aborted');
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** `promptId`: all that changed, if that is known. */
  wake(reason: WakeUp, promptId?: string): void {
    if (promptId === undefined) this.#dirty = null;
    else this.#dirty?.add(promptId);
    if (this.#resolve !== null) {
      const resolve = this.#resolve;
      this.#resolve = null;
      resolve(reason);
    } else if (this.#pending === null || this.#pending === 'changed') {
      this.#pending = reason;
    }
  }

  /** Prompts that may have changed since the last call; null: any of them. */
  takeDirty(): ReadonlySet<string> | null {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    return dirty;
  }

  next(): Promise<WakeUp> {
    if (this.#pending !== null) {
      const reason = this.#pending;
      // A final reason stays: nobody may wait past it.
      if (reason === 'changed') this.#pending = null;
      return Promise.resolve(reason);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  close(): void {
    this.#stopTimer();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#remove();
  }
}
